import type { Draft } from './draft.ts';
import { hasInputList, hasSeveralOutputs, isPlain, type OptionRow } from './draft.ts';

/** What the service says about a field: an error of a problem document, or a warning. */
export interface FieldMessage {
  readonly field?: string | undefined;
}

/** The messages of each control of the form, by its key, and those that belong to none. */
export interface PlacedMessages<M> {
  readonly byControl: ReadonlyMap<string, readonly M[]>;
  readonly others: readonly M[];
}

/** Keys of controls that are not rows, inputs or outputs. */
export const RECIPE = 'recipe';
export const argumentKey = (name: string): string => `argument ${name}`;
export const formatKey = (outputId: string): string => `format ${outputId}`;

/** Warnings with which the job fails because of its source. */
export const SOURCE_FAILURES: ReadonlySet<string> = new Set(['INPUT_INVALID', 'INPUT_NOT_FOUND']);

/** The arguments that a recipe needs and the request lacks. Their fields say that they are required. */
export const missingArguments = (
  errors: readonly { readonly field: string; readonly code: string }[],
): readonly string[] =>
  errors.flatMap(({ field, code }) =>
    code === 'MISSING' && field.startsWith(ARGUMENTS) ? [plainToken(field.slice(ARGUMENTS.length))] : [],
  );

/** Finds the control of each message by its JSON Pointer. */
export function placeMessages<M extends FieldMessage>(draft: Draft, messages: readonly M[]): PlacedMessages<M> {
  const targets = targetsOf(draft);
  const byControl = new Map<string, M[]>();
  const others: M[] = [];
  for (const message of messages) {
    const key = message.field === undefined ? undefined : controlAt(targets, message.field);
    if (key === undefined) others.push(message);
    else byControl.set(key, [...(byControl.get(key) ?? []), message]);
  }
  return { byControl, others };
}

interface Target {
  readonly pointer: string;
  readonly key: string;
}

/** The control of a pointer: its own one, else the nearest around it, else the first of a list of values. */
function controlAt(targets: readonly Target[], field: string): string | undefined {
  const around = targets
    .filter(({ pointer }) => field === pointer || field.startsWith(`${pointer}/`))
    .toSorted((a, b) => b.pointer.length - a.pointer.length);
  const inside = isOption(field) ? targets.find(({ pointer }) => pointer.startsWith(`${field}/`)) : undefined;
  return (inside ?? around[0])?.key;
}

/** Whether a pointer names one option, whose rows are below it if it has a list of values. */
const isOption = (field: string): boolean => /(?:^|\/)parameters\/[^/]+$/.test(field);

function targetsOf(draft: Draft): readonly Target[] {
  const { inputs, outputs, rows, preset } = draft;
  const isList = hasInputList(draft);
  const several = hasSeveralOutputs(draft);
  return [
    ...inputs.flatMap((input, i) => {
      const place = isList ? `/inputs/${i}` : '/input';
      return [{ pointer: place, key: input.id }, ...(isPlain(input) ? [] : rowTargets(place, input.rows))];
    }),
    ...outputs.flatMap((output, i) => {
      const place = several ? `/outputs/${i}` : '';
      return [
        { pointer: several ? place : '/output', key: output.id },
        { pointer: `${place}/format`, key: formatKey(output.id) },
        ...(several ? rowTargets(place, output.rows) : []),
      ];
    }),
    ...rowTargets('', rows),
    ...(preset === undefined ? [] : [{ pointer: '/preset', key: RECIPE }]),
    ...Object.keys(preset?.arguments ?? {}).map((name) => ({
      pointer: `/preset/arguments/${token(name)}`,
      key: argumentKey(name),
    })),
  ];
}

function rowTargets(place: string, rows: readonly OptionRow[]): readonly Target[] {
  return [...Map.groupBy(rows, ({ name }) => name)].flatMap(([name, same]) => {
    const pointer = `${place}/parameters/${token(name)}`;
    return same.map(({ id }, i) => ({ pointer: same.length === 1 ? pointer : `${pointer}/${i}`, key: id }));
  });
}

const ARGUMENTS = '/preset/arguments/';

const plainToken = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~');

/** A name as a segment of a JSON Pointer (RFC 6901). */
const token = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
