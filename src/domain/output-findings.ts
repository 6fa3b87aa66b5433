import type { Hint } from './hint.ts';
import { pointerKey } from './problem.ts';

/** An error in a request, or a warning about it. */
export interface Finding {
  /** JSON Pointer into the request body. Absent if it is about the result. */
  readonly field?: string;
  readonly code: string;
  readonly message: string;
  readonly fix?: Hint;
}

/** An output of a request, as far as findings about it depend on it. */
export interface OutputElement {
  /** JSON Pointer to the element: `/outputs/1`. '' if the request has `output` instead of `outputs`. */
  readonly pointer: string;
  /** Its path, for messages. */
  readonly path: string;
  /** Whether it has `format` itself. */
  readonly hasFormat: boolean;
  /** The names of the options that it has itself. */
  readonly names: ReadonlySet<string>;
}

/** Codes of findings about an input, a stream or an option that an output does not use. Another output may use it. */
const WITHOUT_USE: ReadonlySet<string> = new Set(['UNUSED_INPUT', 'UNUSED_STREAM', 'NO_EFFECT']);

/**
 * Joins what was found about each output of a request as if it were alone, where fields are those of a request with one
 * `output`. The result has the fields of the request. A finding about a part that the outputs share appears once. If it
 * concerns only some of them, it names the first.
 *
 * @param found A list for each of `elements`.
 */
export function joinFindings<T extends Finding>(
  elements: readonly OutputElement[],
  found: readonly (readonly T[])[],
): readonly T[] {
  const [only] = elements;
  if (only === undefined || only.pointer === '') return found.flat();
  const placed = elements.map((element, index) =>
    (found[index] ?? []).map((finding) => ({ finding, field: placeOf(finding, element) })),
  );
  const ofAllResults = inAll(
    found.map((findings) => findings.flatMap((one) => (one.field === undefined ? [textKey(one)] : []))),
  );
  const ofAllOutputs = inAll(placed.map((findings) => findings.map(placeKey)));
  const joined = placed.flatMap((findings, index) =>
    findings.flatMap(({ finding, field }): readonly T[] => {
      // What is the same for all results is about none of them.
      if (finding.field === undefined && ofAllResults.has(textKey(finding))) return [finding];
      if (ofAllOutputs.has(placeKey({ finding, field })) || field.startsWith('/outputs/'))
        return [{ ...finding, field }];
      if (WITHOUT_USE.has(finding.code)) return [];
      return [MOVABLE.test(field) ? ofOneOutput(finding, field, elements[index]?.path) : { ...finding, field }];
    }),
  );
  return [...new Map(joined.map((one) => [JSON.stringify([one.field, one.code, one.message]), one])).values()];
}

const textKey = ({ code, message }: Finding): string => JSON.stringify([code, message]);

const placeKey = ({ finding: { code }, field }: { readonly finding: Finding; readonly field: string }): string =>
  JSON.stringify([code, field]);

/** The keys that every list has. */
function inAll(lists: readonly (readonly string[])[]): ReadonlySet<string> {
  const [first = new Set<string>(), ...others] = lists.map((keys) => new Set(keys));
  return new Set([...first].filter((key) => others.every((other) => other.has(key))));
}

const OPTION = /^\/parameters\/([^/]+)/;

/** Where the request has what a finding is about. What is about the result is about the element. */
function placeOf({ field }: Finding, { pointer, hasFormat, names }: OutputElement): string {
  if (field === undefined) return pointer;
  if (field === '/output' || (field === '/format' && hasFormat)) return `${pointer}${field}`;
  const token = OPTION.exec(field)?.[1];
  return token !== undefined && names.has(pointerKey(token)) ? `${pointer}${field}` : field;
}

/** Parts of a request that an output can have itself. The others, such as filtergraphs, serve several outputs. */
const MOVABLE = /^\/(?:format$|parameters\/(?!filter_complex|lavfi|map$|y$|pass))/;

/** A finding about an option beside `outputs` that does not fit one of them. */
function ofOneOutput<T extends Finding>(finding: T, field: string, path = ''): T {
  const name = pointerKey(OPTION.exec(field)?.[1] ?? 'format');
  return {
    ...finding,
    field,
    message: `For the output "${path}": ${finding.message}`,
    fix:
      ownValue(finding, name) ??
      `Send "${name}" in ${field === '/format' ? '' : 'the "parameters" of '}each of "outputs" that needs it, not beside "outputs".`,
  };
}

/** The fix that gives the output another value than the one beside `outputs`, which the others keep. */
function ownValue({ fix }: Finding, name: string): string | undefined {
  const sent =
    typeof fix === 'string' ? /^Send ("([\w:]+)": (?:"[^"\\]*"|\[[^\]]*\]))(?: as well)?\.$/.exec(fix) : null;
  const option = sent?.[2]?.replace(/:.*/, '');
  return sent !== null && option === name.replace(/:.*/, '')
    ? `Send ${sent[1]} in the "parameters" of this output, beside its others.`
    : undefined;
}
