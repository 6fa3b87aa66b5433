import type { z } from 'zod';
import { safeParse } from 'zod/v4/core';
import { fieldsAsParameters } from '../domain/command-line.ts';
import { eachOfList } from '../domain/each-file.ts';
import { type Edits, leaveOut, orElse, sendMember, sendMembers, sendValue } from '../domain/edit.ts';
import { isPlainFile } from '../domain/foreign-path.ts';
import { type Hint, hint, LIST_JOBS, PROBE_FILE } from '../domain/hint.ts';
import type { FieldError } from '../domain/problem.ts';
import { PRIORITY } from '../domain/queue-order.ts';
import { optionsOfObject, stringOf } from '../domain/structured-values.ts';
import { cutOfOption } from './explain-cut.ts';
import { meantBoolean, meantNames, meantNumber } from './explain-scalars.ts';
import { isUuid } from './job-id.ts';
import { exampleOf, isInteger, typeNames } from './schema-at.ts';

const withArticle = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);

/** Describes a value for a message: `the number 23`, `an array`. */
function describe(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return `the number ${value}`;
  return withArticle(Array.isArray(value) ? 'array' : typeof value);
}

/** The fix for an option value with a wrong type. */
function optionFix(name: string, value: unknown): Hint {
  if (value === null) return orElse(leaveOut(), 'send "" for an option without a value, or "null" for the word null');
  if (/^"metadata(?::|"$)/.test(name) && typeof value === 'object' && !Array.isArray(value))
    return sendMember(
      JSON.parse(name) as string,
      Object.entries(value).map(([key, one]) => `${key}=${stringOf(one)}`),
    );
  const element = /^"(.+)\[\d+\]"$/.exec(name)?.[1];
  const meant = optionsOfObject(element ?? (JSON.parse(name) as string), value);
  if (meant !== undefined && element === undefined) return sendMembers(meant);
  const part = element === undefined ? undefined : meant?.[element];
  if (part !== undefined) return sendValue(part);
  if (typeof value === 'object' && !Array.isArray(value))
    return (
      nestedOptions(name, value) ?? 'Send options of ffmpeg, each value as a string: {"c:v": "libx264", "b:v": "2M"}.'
    );
  return 'Send the value as a string, such as "23".';
}

/** The fix for options in an object, which is the form of other services: `"video": {"codec": "h264"}`. */
function nestedOptions(name: string, value: unknown): Edits | undefined {
  const options = fieldsAsParameters({ [JSON.parse(name) as string]: value }, [JSON.parse(name) as string]);
  return options === undefined || Object.keys(options).length === 0 ? undefined : sendMembers(options);
}

/** Matches the elements of a list of tags. */
const TAG = /\/parameters\/metadata(?::[^/]*)?\/\d+$/;

/** Reads `{"title": "My video"}` or `{"key": "title", "value": "My video"}` as the tag `title=My video`. undefined for other values. */
function tagText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const pairs = Object.entries(value);
  const of = (word: RegExp): unknown => pairs.find(([key]) => word.test(key))?.[1];
  const named = [of(/^(?:key|name|tag)$/i), of(/^value$/i)];
  const [name, text] = pairs.length === 1 ? (pairs[0] ?? []) : pairs.length === 2 ? named : [];
  const isText = [name, text].every((one) => typeof one === 'string' || typeof one === 'number');
  return isText ? `${stringOf(name)}=${stringOf(text)}` : undefined;
}

function tagFix(value: unknown): Edits | undefined {
  const text = tagText(value);
  return text === undefined ? undefined : sendValue(text);
}

/** The maximum length of a list of tags that a fix repeats. */
const MAX_TAGS = 10;

/** The tags in a list of texts such as `"title=My video"` or of objects. undefined: the list contains something else. */
function tagsIn(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_TAGS) return undefined;
  const tags = value.map((one: unknown) => (typeof one === 'string' && /^[^=]+=/.test(one) ? one : tagText(one)));
  return tags.every((one) => one !== undefined) ? tags : undefined;
}

const PRIORITY_FIX: Edits = {
  ...orElse(leaveOut(), `send a whole number from ${PRIORITY.min}, which is last, to ${PRIORITY.max}, which is first`),
  note: `Above ${PRIORITY.default}, the default, the operator has to allow it.`,
};

/** The fix for a priority that is sent as a word. undefined for other values. */
function priorityFix(value: unknown): Hint | undefined {
  const word = stringOf(value);
  if (/^(?:normal|default|medium|standard)$/i.test(word)) return leaveOut();
  if (/low|idle|background|batch/i.test(word))
    return `Send a whole number from ${PRIORITY.min}, which is last, to ${PRIORITY.default - 1}.`;
  return undefined;
}

const EACH_FIX = 'Send one pattern, such as "wavs/*.wav" or "wavs/take-[12].wav", or a request for each file.';

const ENCRYPT_FIX = orElse(
  leaveOut(),
  'send {"keyUri": URI} for HLS: where players get the key, an http(s) URL or a path relative to the playlist',
);

/** The fix for tags of the output in "metadata". "metadata" is data of the client about the job. */
const metadataFix = (tags: readonly unknown[] = ['title=My video'], data: object = { order: 'A-1042' }): string =>
  `For tags of the output, send them in "parameters": ${JSON.stringify({ metadata: tags })}. For your own data about the job, send ${JSON.stringify(data)}.`;

const FIXES: Readonly<Record<string, Hint>> = {
  priority: PRIORITY_FIX,
  each: EACH_FIX,
  encrypt: ENCRYPT_FIX,
};

/** The fix for a field if the meaning of its value is unclear. undefined for other fields. */
export function fixOfField(field: string): Hint | undefined {
  const [, name = ''] = /^(?:\/requests\/\d+)?\/(\w+)$/.exec(field) ?? [];
  if (name === 'metadata') return metadataFix();
  return Object.hasOwn(FIXES, name) ? FIXES[name] : undefined;
}

/** A name and a value in one text: `order=1042`. */
const PAIR = /^([\w.:-]{1,64})=(.{1,200})$/;

/** The fix for a `value` with a wrong type. undefined: no fix is known. */
function sendInstead(
  field: string,
  name: string,
  allowed: readonly string[],
  schema: z.core.$ZodType | undefined,
  value: unknown,
): Hint | undefined {
  const example = exampleOf(schema);
  const tags = /^(?:\/requests\/\d+)?\/metadata$/.test(field) ? tagsIn(value) : undefined;
  if (tags !== undefined) return metadataFix(tags);
  const [, key, text] = (field.endsWith('/metadata') && PAIR.exec(stringOf(value))) || [];
  if (key !== undefined) return metadataFix([value], { [key]: text });
  if (TAG.test(field)) return tagFix(value) ?? 'Send a pair as a string, such as "title=My video".';
  if (/^(?:\/requests\/\d+)?\/parameters\/[^/]+$/.test(field)) {
    const cut = cutOfOption(field.slice(field.lastIndexOf('/') + 1), value);
    if (cut !== undefined) return cut;
  }
  // In a batch, the names of other requests in the batch are also right.
  const isJobs = field === '/after' || field === '/jobIds';
  const meant = meantScalar(field, allowed, schema, value);
  if (isJobs && !(Array.isArray(meant) && meant.every(isUuid)))
    return field === '/after'
      ? hint`Send the ids of the jobs that must be complete before, as a list. For the ids: ${LIST_JOBS}.`
      : hint`Send the ids of the jobs, as a list. For the ids: ${LIST_JOBS}.`;
  if (meant !== undefined) return sendValue(meant);
  if (/\/at(?:\/\d+)?$/.test(field) && typeof value === 'string' && /^\s*\d[\d.]*\s*%\s*$/.test(value))
    return hint`Send the time in seconds: that share of the duration. For the duration: ${PROBE_FILE}.`;
  if (/\/each$/.test(field) && Array.isArray(value) && value.length > 1 && value.every(isPlainFile))
    return eachOfList(value);
  if (field === '/audio')
    return hint`Send the number of the audio stream, counted from 0. For their languages: ${PROBE_FILE}.`;
  const known = fixOfField(field);
  // The client sent `true` for an object whose members are all optional.
  if (known === undefined && value === true && allowed.join() === 'object' && isOptional(schema)) return sendValue({});
  if (known !== undefined) return field.endsWith('priority') ? (priorityFix(value) ?? known) : known;
  const isOption = allowed.includes('string') && (allowed.includes('array') || example === undefined);
  if (allowed.includes('string') && typeof value === 'number') return sendValue(String(value));
  if (isOption) return optionFix(name, value);
  if (example !== undefined) return `Send, for example, ${JSON.stringify(example)}.`;
  return allowed.includes('object') ? 'Send a JSON object: {"name": "value", …}.' : undefined;
}

const isOptional = (schema: z.core.$ZodType | undefined): boolean =>
  schema !== undefined && safeParse(schema, {}).success;

/** The value of the right type that the client probably means, if the field allows only one type. undefined: the meaning is unclear. */
function meantScalar(
  field: string,
  allowed: readonly string[],
  schema: z.core.$ZodType | undefined,
  value: unknown,
): unknown {
  const [type, ...others] = allowed;
  if (others.length > 0) return undefined;
  if (type === 'number' && typeof value === 'string') {
    const number = meantNumber(field.slice(field.lastIndexOf('/') + 1), value);
    return number !== undefined && isInteger(schema) ? Math.round(number) : number;
  }
  if (type === 'boolean') return meantBoolean(value);
  const example = exampleOf(schema);
  const isListOfNames = Array.isArray(example) && example.every((one) => typeof one === 'string');
  return type === 'array' && isListOfNames ? meantNames(value) : undefined;
}

/** The field error for a value of a wrong JSON type. */
export function wrongType(
  field: string,
  name: string,
  schema: z.core.$ZodType | undefined,
  value: unknown,
): FieldError {
  const allowed = typeNames(schema);
  const wanted = allowed.map(withArticle).join(' or ');
  const fix = sendInstead(field, name, allowed, schema, value);
  const message = `${name} must be ${wanted}, not ${describe(value)}.`;
  return { field, code: 'WRONG_TYPE', message, allowed, ...(fix === undefined ? {} : { fix }) };
}
