import { objectAsParameters, withoutGroups } from '../domain/command-line.ts';
import { type Edits, leaveOut, orElse, sendIn, sendMember, sendMembers, sendValue, withMore } from '../domain/edit.ts';
import type { Hint } from '../domain/hint.ts';
import { isMembers, type Members, scalarText, stringOf } from '../domain/structured-values.ts';
import { hasUrl } from './explain-files.ts';
import { parentOf, valueAt } from './json-pointer.ts';

/** Fixes for objects in "parameters", where values must be texts: options in groups, tags, an encoder with its settings. */

const json = (value: unknown): string => JSON.stringify(value);

/** Request fields that clients put into "parameters". ffmpeg options with these names have text values. */
const REQUEST_FIELDS: ReadonlySet<string> = new Set(
  'preset cut join encrypt after each callbackUrl dryRun priority idempotencyKey expiresAfterSeconds inputs outputs'.split(
    ' ',
  ),
);

/** The fix that moves a request field out of "parameters". `right`: the name of the field in the request. */
export const besideParameters = (name: string, value: unknown, right = name): Edits =>
  withMore(sendIn({ beside: 'parameters' }, right, value), { do: 'remove', name });

/** The fix for a field that means the same as another field that already has a value. Only the client knows which value is right. */
export const alreadySet = (name: string): Edits =>
  orElse(leaveOut(), `send its value as ${json(name)}, which is set already`);

const OF_INPUT = /^(?:input|in|source|input_?(?:options|args|params|parameters))$/i;
const OF_OUTPUT =
  /^(?:output|out|options|opts|global|ffmpeg|encode|encoding|settings|args|output_?(?:options|args|params|parameters)|extra)$/i;
const ENCODER = /^(?:c|codec|vcodec|acodec|c:[vas].*|codec:[vas].*)$/;

/** Names under which clients send the tags of the output. */
export const TAGS = /^(?:tags|id3|id3_?tags)$/i;

/** The values of `metadata` with an object of tags added after the tags of the request. undefined: a tag is not a text. */
export function withTags(before: unknown, tags: Members): readonly unknown[] | undefined {
  const added = Object.entries(tags).map(([key, one]) => [key, scalarText(one)] as const);
  if (added.length === 0 || added.some(([, text]) => text === undefined)) return undefined;
  return [...(before === undefined ? [] : [before].flat()), ...added.map(([key, text]) => `${key}=${text}`)];
}

/**
 * The fix for options if "parameters" already has one of them with another value. Filters never contradict each other, because they can
 * follow each other.
 */
export function contradictionFix(options: Members, parameters: unknown): Edits | undefined {
  const sent = isMembers(parameters) ? parameters : {};
  const key = Object.keys(options).find(
    (one) => !JOINED.test(one) && Object.hasOwn(sent, one) && stringOf(sent[one]) !== stringOf(options[one]),
  );
  return key === undefined
    ? undefined
    : orElse(leaveOut(), `send its value in "parameters", which has ${json(key)}: ${json(sent[key])} already`);
}

/** Options whose values can follow each other. */
const JOINED = /^(?:[va]f|metadata)$/;

/** The maximum length of an object that a fix repeats. */
const MAX_LENGTH = 800;

/**
 * The fix for objects of other services in `parameters`. All their errors share this fix. undefined: `name` is not such an object, or the
 * meaning of one object is unknown.
 */
export function groupsFix(name: string, parameters: unknown): Edits | undefined {
  const options = withoutGroups(parameters);
  if (options === undefined || !isMembers(parameters) || json(options).length > MAX_LENGTH) return undefined;
  return Object.hasOwn(options, name) ? undefined : sendMember('parameters', options);
}

/**
 * The fix for an object as the value of an option. `pointer`: the JSON Pointer to the option. undefined: the object has no known meaning.
 */
export function nestedFix(pointer: string, name: string, value: unknown, root: unknown): Hint | undefined {
  if (!isMembers(value) || json(value).length > MAX_LENGTH || hasUrl(value)) return undefined;
  if (REQUEST_FIELDS.has(name)) return besideParameters(name, value);
  const parameters = valueAt(root, parentOf(pointer));
  if (TAGS.test(name)) {
    const tags = withTags(isMembers(parameters) ? parameters['metadata'] : undefined, value);
    return tags && sendMember('metadata', tags);
  }
  const options = objectAsParameters(value);
  if (options === undefined || Object.keys(options).length === 0) return undefined;
  if (OF_OUTPUT.test(name)) return contradictionFix(options, parameters) ?? sendMembers(options);
  if (OF_INPUT.test(name)) {
    const input = valueAt(root, `${pointer.slice(0, pointer.lastIndexOf('/parameters/'))}/input`);
    if (typeof input !== 'string' || hasUrl(input))
      return `Options of an input belong to it: send "inputs": ${json([{ input: 'PATH', parameters: options }])} instead of "input", and leave ${json(name)} out.`;
    const sent = sendIn('request', 'inputs', [{ input, parameters: options }]);
    return {
      ...withMore(sent, { do: 'remove', name }),
      why: 'options of an input are in "inputs", instead of "input"',
    };
  }
  const { name: encoder, codec, encoder: other, ...settings } = value;
  const own = scalarText(encoder ?? codec ?? other);
  if (ENCODER.test(name) && own !== undefined) {
    const all = objectAsParameters({ [name]: own, ...settings });
    return all && sendMembers(all);
  }
  const [only, ...others] = Object.values(value);
  const text = scalarText(only);
  return text !== undefined && others.length === 0 && /^(?:ss|t|to|r|crf|s|b:[va]|preset)$/.test(name)
    ? sendValue(text)
    : undefined;
}
