import type { Hint } from './hint.ts';
import { extension, type MediaPath } from './media-path.ts';
import { type FieldError, hasEnough, pointerKey } from './problem.ts';

/** An error in a request, or a warning about it. */
export interface RequestFinding {
  /** JSON Pointer into the request body. Absent if the finding is about the result. */
  readonly field?: string;
  readonly code: string;
  readonly message: string;
  readonly fix?: Hint;
  readonly nearest?: FieldError['nearest'];
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
  const joined = placed.flatMap((findings, index) =>
    findings.flatMap(({ finding, field }): readonly T[] => {
      // If every output has this finding, the message names no output.
      if (finding.field === undefined && ofAllResults.has(textKey(finding))) return [finding];
      if (field.startsWith('/outputs/')) return [{ ...finding, field }];
      if (ofAllOutputs.has(placeKey({ finding, field }))) return [{ ...finding, field }];
      if (WITHOUT_USE.has(finding.code)) return [];
      const element = elements[index] ?? only;
      if (!MOVABLE.test(field)) return [{ ...finding, field }];
      // Another value may not fit the other outputs, so leave its choice to the client.
      const message = `For the output "${element.path}": ${finding.message}`;
      return [{ ...finding, field, message, fix: undefined, nearest: undefined }];
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

/** Parts of a request that one output can set itself. Other parts, such as filtergraphs, serve several outputs. */
const MOVABLE = /^\/(?:format$|parameters\/(?!filter_complex|lavfi|map$|y$|pass))/;
