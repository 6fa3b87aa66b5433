import { fieldsAsParameters, outputObject } from '../domain/command-line.ts';
import { type Edits, leaveOut, sendMember, sendMembers, sendValue, withMore } from '../domain/edit.ts';
import { pathsInText } from '../domain/foreign-path.ts';
import type { Hint } from '../domain/hint.ts';
import { isMembers, stringOf } from '../domain/structured-values.ts';
import { meantField } from '../domain/synonyms/field-words.ts';
import type { SentField } from './schema-at.ts';

/** Fixes for inputs and outputs that have the wrong JSON type but name files. */

const json = (value: unknown): string => JSON.stringify(value);

/** Whether a value can be an element of `inputs`. */
const isInput = (value: unknown): boolean =>
  typeof value === 'string' || (isMembers(value) && typeof value['input'] === 'string');

const PATH = /^(?:path|file|file_?name|file_?path|url|uri|src|source|name|key|location)$/i;

/** Corrects an element of `inputs` whose path has another name: `{"path": "a.mov"}`. */
function withInput(value: unknown): unknown {
  if (!isMembers(value) || value['input'] !== undefined) return value;
  const path = Object.entries(value).find(([key, one]) => PATH.test(key) && typeof one === 'string');
  if (path === undefined) return value;
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => key !== path[0]));
  const isStill = STILL.test(stringOf(path[1]));
  const isOwn = (key: string): boolean => !OF_INPUT.has(key) && !(isStill && key === 'duration');
  const own = Object.keys(rest).filter(isOwn);
  const parameters = own.length === 0 ? undefined : fieldsAsParameters(rest, own);
  const fields = Object.entries(rest).filter(([key]) => parameters === undefined || !isOwn(key));
  const all = { ...Object.fromEntries(fields), ...(parameters && { parameters }) };
  return Object.keys(all).length === 0 ? path[1] : { input: path[1], ...all };
}

const STILL = /\.(?:png|jpe?g|webp|bmp|tiff?|gif)$/i;

/**
 * The fields of an element of `inputs` other than its path. "duration" is missing here: it is a field only of an image, and for other
 * inputs clients mean a part of the input.
 */
const OF_INPUT: ReadonlySet<string> = new Set(['parameters', 'attach', 'crossfade']);

/** Whether a value contains a URL. A URL may contain a password or a signature, so no reply shows it. */
export const hasUrl = (value: unknown): boolean => JSON.stringify(value)?.includes(':/') === true;

/** The fix for a list of output paths. `known`: the fields that the object with the list may have. */
export function outputsFix(value: unknown, known: readonly string[]): Hint | undefined {
  if (isMembers(value)) return outputsOfObject(value);
  const listed = typeof value === 'string' ? pathsInText(value) : undefined;
  const named = Array.isArray(value) && value.some(isMembers) ? value.map((one: unknown) => withOutput(one)) : [];
  if (named.length > 1 && named.every((one) => one !== undefined) && known.includes('outputs') && !hasUrl(value))
    return sendMember('outputs', named);
  const [only, ...others] = listed ?? (Array.isArray(value) ? (value as readonly unknown[]) : [value]);
  if (typeof only !== 'string' || !others.every((one) => typeof one === 'string')) return undefined;
  if (hasUrl(value)) return others.length === 0 ? 'Send the path itself as "output".' : undefined;
  if (others.length === 0) return sendMember('output', only);
  const elements = [only, ...others].map((output) => ({ output }));
  return known.includes('outputs')
    ? sendMember('outputs', elements)
    : `Send an element of "outputs" for each path: ${elements.map(json).join(', ')}.`;
}

/** The fix for outputs with names, `{"mp4": "a.mp4", "poster": "a.jpg"}`, or for one output that is not in a list. */
function outputsOfObject(value: Readonly<Record<string, unknown>>): Hint | undefined {
  const alone = withOutput(value);
  const all =
    alone === undefined
      ? Object.entries(value).map(
          ([name, one]) => withOutput(one) ?? withOutput(one, PATH_TEXT.test(name) ? name : undefined),
        )
      : [alone];
  if (all.length === 0 || hasUrl(value)) return undefined;
  if (all.every((one) => one !== undefined)) return sendMember('outputs', all);
  const named = Object.entries(value).map(([name, one]) => withOutput(one) ?? withOutput(one, `${name}.mp4`));
  return named.every((one) => one !== undefined)
    ? `Send a list, in which each output has the path of its file, such as "outputs": ${json(named)}.`
    : undefined;
}

/** A file name with an extension. */
const PATH_TEXT = /[^/]\.\w{2,5}$/;

/** Reads `{"file": "a.mp4", "height": 720}` as an element of `outputs`. `name`: the path to use if the value has no path. */
function withOutput(value: unknown, name?: string): Readonly<Record<string, unknown>> | undefined {
  if (typeof value === 'string') return name === undefined ? { output: value } : undefined;
  if (!isMembers(value)) return undefined;
  // In requests of other services, these members say nothing about the file.
  const { label: _label, id: _id, public: _public, output, parameters, format, ...rest } = value;
  const own = name ?? output;
  if (typeof own === 'string' && Object.keys(rest).length === 0) return { ...value, output: own };
  const named = typeof own === 'string' ? { ...rest, output: own } : rest;
  const { input: _, ...meant } = { input: undefined, ...outputObject(named, parameters) };
  return typeof meant.output === 'string' ? { ...meant, ...(typeof format === 'string' && { format }) } : undefined;
}

/** The maximum length of a list of inputs that a fix repeats. */
const MAX_REPEATED = 10;

/** The fix for a crossfade in the request itself. It belongs in each input after the first. */
export function crossfadeFix({ key, value, parent }: SentField): Hint | undefined {
  if (meantField(key, ['crossfade']) === undefined) return undefined;
  const { inputs, join } = parent;
  const list: readonly unknown[] = Array.isArray(inputs) ? inputs : [];
  const amount = isMembers(value) ? (value['seconds'] ?? value['duration'] ?? value['length']) : value;
  const seconds = /^\d{1,3}(?:\.\d{1,3})?s?$/.test(stringOf(amount)) ? stringOf(amount).replace('s', '') : undefined;
  const rest = list.slice(1).map((one) => ({ ...(isMembers(one) ? one : { input: one }), crossfade: seconds ?? '1' }));
  const isWhole = seconds !== undefined && rest.length > 0 && list.length <= MAX_REPEATED && list.every(isInput);
  if (!isWhole || hasUrl(list))
    return `Send it in each element of "inputs" after the first, in seconds: {"input": "b.mp4", "crossfade": "1"}, with "join": "encode".`;
  return sendMembers({ inputs: [list[0], ...rest], ...(join !== 'encode' && { join: 'encode' }) });
}

/** The fix for a request with both `input` and `inputs`, or with both `output` and `outputs`: all files go into the list. */
export function joinedFix(field: 'inputs' | 'outputs', one: unknown, list: unknown): Hint {
  const name = field.slice(0, -1);
  // `one` and `list` can have wrong types. `meantFiles` reports wrong types, so here only remove one of the fields.
  if (!Array.isArray(list) || list.length === 0) return leaveOut(field);
  if (typeof one !== 'string') return leaveOut(name);
  const pathOf = (element: unknown): unknown => (isMembers(element) ? element[name] : element);
  if (list.some((element: unknown) => pathOf(element) === one)) return leaveOut(name, `"${field}" has it`);
  const all: readonly unknown[] = [field === 'outputs' ? { output: one } : one, ...(list as readonly unknown[])];
  return hasUrl(all) || json(all).length > MAX_JOINED
    ? `Send all files in "${field}".`
    : withMore(sendMember(field, all), { do: 'remove', name });
}

const MAX_JOINED = 1000;

/** The fix for one input in `inputs`, or for several inputs in `input`. `known`: the fields that the object may have. */
function inputsFix(value: unknown, known: readonly string[]): Hint | undefined {
  const listed = typeof value === 'string' ? pathsInText(value) : undefined;
  const all: readonly unknown[] = (listed ?? (Array.isArray(value) ? value : [value])).map(withInput);
  const [first] = all;
  if (all.length === 0 || !all.every(isInput)) return undefined;
  if (hasUrl(value)) return inputsFixOfUrls(all, known);
  if (all.length === 1 && typeof first === 'string') return sendMember('input', first);
  if (known.includes('inputs')) return sendMember('inputs', all);
  const compared = known.includes('original') ? comparedFix(all) : undefined;
  if (compared !== undefined) return compared;
  return typeof first === 'string' ? `Send one path at a time: "input": ${json(first)}.` : undefined;
}

/** The fix for two files to compare. The original is first. undefined for other lists. */
export function comparedFix([left, right, ...others]: readonly unknown[]): Edits | undefined {
  const isPair = typeof left === 'string' && typeof right === 'string' && others.length === 0;
  return isPair ? sendMembers({ input: right, original: left }) : undefined;
}

/** The fix for inputs with URLs. The fix does not repeat the URLs. */
function inputsFixOfUrls(all: readonly unknown[], known: readonly string[]): string {
  if (all.length === 1 && typeof all[0] === 'string') return 'Send the URL itself as "input".';
  return known.includes('inputs') ? 'Send the list as "inputs".' : 'Send one path or URL at a time as "input".';
}

/**
 * The fix for a field of files with a wrong type: a list in `input` or `output`, or a path in `inputs` or `outputs`. `path`: the path of
 * the value in the body. `known`: the fields that the object with the value may have.
 */
export function meantFiles(path: readonly PropertyKey[], value: unknown, known: readonly string[]): Hint | undefined {
  const field = path.at(-1);
  if (field === 'input' || field === 'inputs') return inputsFix(value, known);
  if (field === 'output') return Array.isArray(value) ? outputsFix(value, known) : undefined;
  if (field === 'outputs') return outputsFix(value, known);
  return typeof field === 'number' && path.at(-2) === 'outputs' && typeof value === 'string' && !hasUrl(value)
    ? sendValue({ output: value })
    : undefined;
}
