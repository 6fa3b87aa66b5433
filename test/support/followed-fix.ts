import { applyPatch } from '../../console/workbench/apply-patch.ts';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { type Fixable, fixPatch } from '../../packages/contract/src/wire/fix-patch.ts';

/** A finding as clients get it: its fix is a text. */
type TextFixable = Omit<Fixable, 'fix'> & { readonly fix?: string | undefined };

/** What a fix names: members to send, and names to leave out, of which `it` is the field. */
interface Way {
  readonly sent: Record<string, unknown>;
  readonly left: string[];
  /** Whether the members belong to the input. */
  isOfInput?: boolean;
  /** Whether the fix names a wish for which this way is: "for the audio alone", "if only the audio is meant". */
  isForWish?: boolean;
}

/**
 * The requests that follow the fix of a warning, one for each of its ways: by its JSON Patch, and without one as a reader of the
 * sentence does. Ways for another wish are left out. undefined if the fix names nothing that a request can have: it is advice.
 */
export function followedBy(request: ConversionRequest, warning: TextFixable): readonly ConversionRequest[] | undefined {
  const patch = fixPatch(request, warning);
  if (patch !== undefined) return [applyPatch(request, [...patch])];
  const whole = withFilter(request, warning) ?? withSwappedInputs(request, warning);
  if (whole !== undefined) return [whole];
  const ways = waysOf(warning.fix ?? '');
  if (ways.length === 0) return undefined;
  return ways.filter(({ isForWish }) => isForWish !== true).map((way) => changed(request, warning.field ?? '', way));
}

/** Follows `Send the filter as "loudnorm=I=-14".`, for the only filter of this name in the option of the field. */
function withFilter(request: ConversionRequest, { field = '', fix = '' }: TextFixable): ConversionRequest | undefined {
  const [, text = ''] = /^Send the filter as (".*")\.$/s.exec(fix) ?? [];
  const option = field.split('/').at(-1) ?? '';
  const graph = request.parameters?.[option];
  if (text === '' || typeof graph !== 'string') return undefined;
  const filter: string = JSON.parse(text);
  const [name = ''] = /^\w+/.exec(filter) ?? [];
  const value = graph.replace(new RegExp(`(?<!\\w)${name}(?:=[^,;[]*)?(?=[,;[]|$)`), () => filter);
  return { ...request, parameters: { ...request.parameters, [option]: value } };
}

/** Follows `Send the elements 0 and 1 of "inputs" in each other's place.` */
function withSwappedInputs({ inputs = [], ...rest }: ConversionRequest, { fix = '' }: TextFixable) {
  const [, ...places] = /^Send the elements (\d+) and (\d+) of "inputs" in each other's place/.exec(fix) ?? [];
  const [one = 0, other = 0] = places.map(Number);
  const [first, second] = [inputs[one], inputs[other]];
  if (one === other || first === undefined || second === undefined) return undefined;
  return { ...rest, inputs: inputs.with(one, second).with(other, first) };
}

/** Matches the start of `"crf": "23"`, and the whole of `leave "crf" out` and `instead of "shortest"`. */
const STEP =
  /"([\w:.-]+)": (?=["[{\d-])|(?<!\bto )\b(?:leave|instead of) (it|the filter|the input|"[^"]+"(?:(?:,| and) "[^"]+")*)(?: out)?(?=[ .,])/gi;
const FOR_WISH = /^[^".]*? (?:if|for the audio alone)\b/;

function waysOf(fix: string): readonly Way[] {
  const ways: Way[] = [];
  let end = 0;
  for (const { 0: all, 1: name, 2: left, index } of fix.matchAll(STEP)) {
    // In the value of the member before.
    if (index < end) continue;
    const isOther = /, or\b|[.;] /.test(fix.slice(end, index));
    const way: Way = (isOther ? undefined : ways.at(-1)) ?? { sent: {}, left: [] };
    if (!ways.includes(way)) ways.push(way);
    end = index + all.length;
    if (left !== undefined) way.left.push(...leftIn(left));
    else if (name !== undefined) {
      const text = jsonAt(fix, end);
      if (text === undefined) continue;
      way.sent[name] = JSON.parse(text);
      end += text.length;
      if (/^ (?:in the "parameters" of|with) the input\b/.test(fix.slice(end))) way.isOfInput = true;
    }
    if (FOR_WISH.test(fix.slice(end))) way.isForWish = true;
  }
  return ways.filter(({ sent, left }) => Object.keys(sent).length + left.length > 0);
}

/** What is left out: `it` for the field, also if the sentence calls it the input. */
const leftIn = (text: string): readonly string[] =>
  text.startsWith('"') ? [...text.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name) : ['it'];

/** The JSON value that begins at `from`. */
function jsonAt(text: string, from: number): string | undefined {
  const [number] = /^-?\d+(?:\.\d+)?/.exec(text.slice(from)) ?? [];
  if (number !== undefined) return number;
  for (let end = from + 2; end <= text.length; end += 1)
    try {
      JSON.parse(text.slice(from, end));
      return text.slice(from, end);
    } catch {
      // It goes on.
    }
  return undefined;
}

const OF_REQUEST: ReadonlySet<string> = new Set(['input', 'inputs', 'output', 'outputs', 'join', 'format', 'cut']);

function changed(request: ConversionRequest, field: string, { sent, left, isOfInput }: Way): ConversionRequest {
  // An input is left out whole.
  const path = field.replace(/^(\/inputs\/\d+)\/input$/, '$1');
  const without = left.includes('it') ? applyPatch(request, [{ op: 'remove', path }]) : request;
  const own = Object.entries(sent).filter(([name]) => OF_REQUEST.has(name));
  const options = Object.fromEntries(Object.entries(sent).filter(([name]) => !OF_REQUEST.has(name)));
  const [, output] = /^\/outputs\/(\d+)/.exec(field) ?? [];
  const [, number = '0'] = /^\/inputs\/(\d+)/.exec(field) ?? [];
  const copy = structuredClone(without) as unknown as Record<string, unknown> & {
    inputs?: unknown[];
    outputs?: { parameters?: object }[];
    parameters?: Record<string, unknown>;
    preset?: { arguments?: Record<string, unknown> };
  };
  const target = output === undefined ? copy : copy.outputs?.[Number(output)];
  const [name, value] = Object.entries(sent)[0] ?? [];
  // The member that the warning is about, such as an argument of a recipe.
  if (
    name !== undefined &&
    Object.keys(sent).length === 1 &&
    field.endsWith(`/${name}`) &&
    !field.startsWith('/parameters/')
  )
    return applyPatch(without, [{ op: 'replace', path: field, value }]);
  if (isOfInput === true) {
    const inputs = copy.inputs ?? [copy['input']];
    const before = inputs[Number(number)];
    const spec = (typeof before === 'string' ? { input: before } : before) as { parameters?: object };
    inputs[Number(number)] = { ...spec, parameters: { ...spec.parameters, ...options } };
    copy.inputs = inputs;
    delete copy['input'];
  } else if (target !== undefined && Object.keys(options).length > 0)
    target.parameters = { ...target.parameters, ...options };
  for (const key of left) {
    delete copy.parameters?.[key];
    delete copy.preset?.arguments?.[key];
  }
  for (const [key, one] of own) copy[key] = one;
  if (Object.hasOwn(sent, 'inputs')) delete copy['input'];
  return copy as unknown as ConversionRequest;
}
