import { addIn, type Edit, type Edits, hasEdits, type Place } from './edit.ts';
import type { Hint } from './hint.ts';
import { extension, type MediaPath } from './media-path.ts';
import { hasEnough, pointerKey } from './problem.ts';

/** An error in a request, or a warning about it. */
export interface RequestFinding {
  /** JSON Pointer into the request body. Absent if the finding is about the result. */
  readonly field?: string;
  readonly code: string;
  readonly message: string;
  readonly fix?: Hint;
}

/** The properties of an output that decide how findings about it are joined. */
export interface OutputElement {
  /** JSON Pointer to the element: `/outputs/1`. '' if the request has `output` instead of `outputs`. */
  readonly pointer: string;
  readonly path: string;
  /** Whether the output itself sets `format`. */
  readonly hasFormat: boolean;
  /** The names of the options that the output itself sets. */
  readonly names: ReadonlySet<string>;
}

/** Codes of findings about an input, stream or option that an output does not use. Another output may use it. */
const WITHOUT_USE: ReadonlySet<string> = new Set(['UNUSED_INPUT', 'UNUSED_STREAM', 'NO_EFFECT']);

/**
 * Joins the findings about the outputs of a request. Each output was checked alone, as in a request with one `output`; the result has the
 * fields of the whole request. A finding about a part of the request that all outputs use appears once. If this finding applies to some
 * outputs only, and an output can set the part itself, the message names the output. Checks stop after enough findings, so findings about
 * later outputs are unknown. `found`: one list for each checked element, in the order of `elements`.
 */
export function joinFindings<T extends RequestFinding>(
  elements: readonly OutputElement[],
  found: readonly (readonly T[])[],
): readonly T[] {
  const [only] = elements;
  if (only === undefined || only.pointer === '') return found.flat();
  const placed = found.map((findings, index) =>
    findings.map((finding) => ({ finding, field: placeOf(finding, elements[index] ?? only) })),
  );
  const ofAllResults = inAll(
    found.map((findings) => findings.flatMap((one) => (one.field === undefined ? [textKey(one)] : []))),
  );
  const whole = placed.filter((findings) => !hasEnough(findings));
  const isEachKnown = areLikeFirst(elements, found.length);
  const ofAllOutputs = isEachKnown
    ? inAll((whole.length > 0 ? whole : placed).map((findings) => findings.map(placeKey)))
    : new Set<string>();
  const isSure = isEachKnown && whole.length === placed.length;
  const joined = placed.flatMap((findings, index) =>
    findings.flatMap(({ finding, field }): readonly T[] => {
      // If every output has this finding, the message names no output.
      if (finding.field === undefined && ofAllResults.has(textKey(finding))) return [finding];
      if (field.startsWith('/outputs/')) return [{ ...finding, field }];
      if (ofAllOutputs.has(placeKey({ finding, field })))
        return [{ ...finding, field, ...fixOfAll(finding, elements) }];
      if (WITHOUT_USE.has(finding.code)) return [];
      const element = elements[index] ?? only;
      if (MOVABLE.test(field)) return [ofOneOutput(finding, field, element, isSure)];
      // Name the output in the message: the fix says "this output", and the field belongs to all outputs.
      return [{ ...finding, field, ...(changesOutput(finding) && { message: inOutput(element, finding) }) }];
    }),
  );
  return [...new Map(joined.map((one) => [JSON.stringify([one.field, one.code, one.message]), one])).values()];
}

/** Whether the outputs after the first `count` need no check: they set nothing themselves, and a checked output has their extension. */
function areLikeFirst(elements: readonly OutputElement[], count: number): boolean {
  const isPlain = ({ hasFormat, names }: OutputElement): boolean => !hasFormat && names.size === 0;
  const kindOf = ({ path }: OutputElement): string => extension(path as MediaPath);
  const kinds = new Set(elements.slice(0, count).filter(isPlain).map(kindOf));
  return elements.slice(count).every((one) => isPlain(one) && kinds.has(kindOf(one)));
}

const textKey = ({ code, message }: RequestFinding): string => JSON.stringify([code, message]);

const placeKey = ({ finding: { code }, field }: { readonly finding: RequestFinding; readonly field: string }): string =>
  JSON.stringify([code, field]);

/** The keys that every list has. */
function inAll(lists: readonly (readonly string[])[]): ReadonlySet<string> {
  const [first = new Set<string>(), ...others] = lists.map((keys) => new Set(keys));
  return new Set([...first].filter((key) => others.every((other) => other.has(key))));
}

const OPTION = /^\/parameters\/([^/]+)/;

/** The field of the whole request for a finding. A finding about the result has the element of the output as its field. */
function placeOf({ field }: RequestFinding, { pointer, hasFormat, names }: OutputElement): string {
  if (field === undefined) return pointer;
  if (field === '/output' || (field === '/format' && hasFormat)) return `${pointer}${field}`;
  const token = OPTION.exec(field)?.[1];
  return token !== undefined && names.has(pointerKey(token)) ? `${pointer}${field}` : field;
}

/** The fix of a finding about all outputs. A missing option goes into "parameters" of the request, and not of one output. */
function fixOfAll({ fix }: RequestFinding, elements: readonly OutputElement[]): { readonly fix?: Edits } {
  if (!hasEdits(fix)) return {};
  const isOwn = (name: string): boolean => elements.some(({ names }) => names.has(name));
  const shared = (edit: Edit): Edit =>
    (edit.do === 'add' || edit.do === 'send') && edit.name !== undefined && isOfOutput(edit.in) && !isOwn(edit.name)
      ? { ...edit, name: edit.name, in: 'parameters' }
      : edit;
  return { fix: { ...fix, edits: fix.edits.map(shared) } };
}

const inOutput = ({ path }: Pick<OutputElement, 'path'>, { message }: RequestFinding): string =>
  `For the output "${path}": ${message}`;

const changesOutput = ({ fix }: RequestFinding): boolean =>
  hasEdits(fix) && fix.edits.some((edit) => 'in' in edit && isOfOutput(edit.in));

const isOfOutput = (place: Place | undefined): boolean => typeof place === 'object' && 'output' in place;

/** Parts of a request that one output can set itself. Other parts, such as filtergraphs, serve several outputs. */
const MOVABLE = /^\/(?:format$|parameters\/(?!filter_complex|lavfi|map$|y$|pass))/;

/** Rewrites a finding about an option of the request that does not fit one output. `isSure`: the option fits other outputs. */
function ofOneOutput<T extends RequestFinding>(
  finding: T,
  field: string,
  { path, pointer }: OutputElement,
  isSure: boolean,
): T {
  const name = pointerKey(OPTION.exec(field)?.[1] ?? 'format');
  return {
    ...finding,
    field,
    message: inOutput({ path }, finding),
    fix:
      ownValue(finding, name, pointer) ??
      (isSure
        ? `Send "${name}" in ${field === '/format' ? '' : 'the "parameters" of '}each of "outputs" that needs it, not beside "outputs".`
        : finding.fix),
  };
}

/** The fix that sets another value in one output. The other outputs keep the value of the request. */
function ownValue({ fix }: RequestFinding, name: string, output: string): Hint | undefined {
  const [edit, ...others] = hasEdits(fix) && fix.or === undefined && fix.isExample !== true ? fix.edits : [];
  if (others.length > 0 || (edit?.do !== 'send' && edit?.do !== 'add') || edit.name === undefined) return undefined;
  const isSame = edit.name.replace(/:.*/, '') === name.replace(/:.*/, '');
  return isSame ? addIn({ output }, edit.name, edit.value) : undefined;
}
