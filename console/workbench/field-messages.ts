import { nameOfSegment } from './apply-patch.ts';
import type { Draft } from './draft.ts';
import { hasInputList, hasSeveralOutputs, isPlain, type OptionRow, sentOutputs } from './draft.ts';

/** An error or a warning about a field. */
interface FieldMessage {
  readonly field?: string | undefined;
}

/** The messages by the key of their control. `others`: messages that belong to no control. */
export interface PlacedMessages<M> {
  readonly byControl: ReadonlyMap<string, readonly M[]>;
  readonly others: readonly M[];
}

/** The keys of further controls. The key of a row, an input or an output is its id. */
export const RECIPE = 'recipe';
export const argumentKey = (name: string): string => `argument ${name}`;
export const formatKey = (outputId: string): string => `format ${outputId}`;

/** Warnings about a source that make the job fail. */
export const SOURCE_FAILURES: ReadonlySet<string> = new Set(['INPUT_INVALID', 'INPUT_NOT_FOUND']);

/**
 * Whether the page says a warning elsewhere. The bar says that the only source was not checked; of several sources, it does not say which. The
 * output of a started job exists because of this job.
 */
export const isSaidElsewhere = (
  code: string,
  { hasStarted, sources }: { readonly hasStarted: boolean; readonly sources: number },
): boolean => (code === 'INPUT_NOT_READ' && sources === 1) || (code === 'OUTPUT_EXISTS' && hasStarted);

/** The required arguments of a recipe that the request lacks. Their fields already show that they are required. */
export const missingArguments = (
  errors: readonly { readonly field: string; readonly code: string }[],
): readonly string[] =>
  errors.flatMap(({ field, code }) =>
    code === 'MISSING' && field.startsWith(ARGUMENTS) ? [nameOfSegment(field.slice(ARGUMENTS.length))] : [],
  );

/** Assigns each message to a control by its JSON Pointer. */
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

/**
 * Returns the key of the control for a field: of the field itself, or of the nearest one around it. For a list of
 * values, this is the control of the first value.
 */
function controlAt(targets: readonly Target[], field: string): string | undefined {
  const around = targets
    .filter(({ pointer }) => field === pointer || field.startsWith(`${pointer}/`))
    .toSorted((a, b) => b.pointer.length - a.pointer.length);
  const inside = isOption(field) ? targets.find(({ pointer }) => pointer.startsWith(`${field}/`)) : undefined;
  return (inside ?? around[0])?.key;
}

/** Whether a JSON Pointer leads to an option. If the option has a list of values, its rows have longer pointers. */
const isOption = (field: string): boolean => /(?:^|\/)parameters\/[^/]+$/.test(field);

function targetsOf(draft: Draft): readonly Target[] {
  const { inputs, rows, preset } = draft;
  const outputs = sentOutputs(draft);
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

/** Encodes a name as a segment of a JSON Pointer (RFC 6901). */
const token = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
