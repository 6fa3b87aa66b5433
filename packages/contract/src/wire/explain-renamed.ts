import { leaveOut, rename, sendMember } from '../domain/edit.ts';
import { outputBeside } from '../domain/folder-output.ts';
import { foreignPath, hostPath, isPlainFile, pathsInText } from '../domain/foreign-path.ts';
import type { Hint } from '../domain/hint.ts';
import { folderOf, lastPart, parseMediaPath } from '../domain/media-path.ts';
import { MAX_CALL_WAIT_SECONDS } from '../domain/quantity.ts';
import { isMembers } from '../domain/structured-values.ts';
import { meantField } from '../domain/synonyms/field-words.ts';
import { meantFiles, outputsFix } from './explain-files.ts';
import { alreadySet } from './explain-parameters.ts';
import type { SentField } from './schema-at.ts';

/** Fixes for fields whose name is misspelt, or is the word of another service: `source` for `input`. */

/** Field names for the folder of an upload. */
export const UPLOAD_FOLDER = /^(?:(?:target|dest|destination|upload)_?)?(?:dir|directory|folder)$/i;

/** Field names for a folder whose files are listed. */
const FOLDER = /^(?:path|folder|dir|directory|root)$/i;

/** The fix that sends the value of the field under the name `near`, corrected where the value has another form. */
export function renamedFix({ key, value, parent, known }: SentField, near: string): Hint {
  if (parent[near] !== undefined) return alreadySet(near);
  const [folder, pattern] = typeof value === 'string' ? [folderOf(value), value.slice(folderOf(value).length)] : [];
  if (near === 'prefix' && folder !== undefined && /[*?[\]{}]/.test(pattern ?? ''))
    return folder === ''
      ? leaveOut(undefined, 'without "prefix", the media root is listed')
      : sendMember('prefix', folder);
  if (near === 'prefix' && typeof value === 'string' && FOLDER.test(key) && !/[*?[\]{}]/.test(value))
    return sendMember('prefix', /^[./]*$/.test(value) ? '' : value.endsWith('/') ? value : `${value}/`);
  if (near === 'outputs' || (near === 'output' && Array.isArray(value)))
    return (
      outputsFix(value, known) ??
      (Array.isArray(value) ? rename('outputs') : sendMember('outputs', [{ output: 'movies/out.mp4' }]))
    );
  if (near === 'parameters' && (typeof value !== 'object' || value === null || Array.isArray(value)))
    return 'Send, for example, "parameters": {"c:v": "libx264", "crf": "23"}.';
  if (near === 'input' && Array.isArray(value))
    return known.includes('inputs')
      ? rename('inputs')
      : (meantFiles([near], value, known) ?? 'Send one path as "input".');
  if (near === 'inputs' && typeof value === 'string')
    return pathsInText(value) === undefined ? rename('input') : (meantFiles([near], value, known) ?? rename('inputs'));
  const stored = near === 'path' && known.includes('maxBytes') ? storedPath(value, parent) : undefined;
  if (stored !== undefined) return sendMember('path', stored);
  const renamed =
    (near === 'output' ? outputOfFormat(value, parent) : undefined) ??
    (RENAMED.has(near) ? renamedValue(near, value) : undefined);
  return renamed === undefined ? rename(near) : sendMember(near, renamed);
}

/**
 * The path for a file of another machine: the name of the file. If another field names a folder, the file is in this folder. undefined for
 * other paths.
 */
function storedPath(value: unknown, parent: unknown): string | undefined {
  if (typeof value !== 'string' || !isMembers(parent)) return undefined;
  const [, folder] = Object.entries(parent).find(([key]) => UPLOAD_FOLDER.test(key)) ?? [];
  const name = lastPart(value);
  const inFolder = typeof folder === 'string' ? `${folder.replace(/\/{0,9}$/, '/')}${name}` : name;
  return typeof folder === 'string' || plainPath(value) !== value ? inFolder : undefined;
}

/** Extensions that clients send instead of an output: `{"file": "talk.wav", "to": "mp3"}`. */
export const EXTENSION = /^\.?(?:mp[34]|m4[av]|mkv|mov|webm|avi|gif|wav|flac|ogg|opus|aac|jpe?g|png|webp)$/i;

/** The output for a format that was sent in place of the output. It is in the folder of the input. undefined for other values. */
function outputOfFormat(value: unknown, parent: unknown): string | undefined {
  if (typeof value !== 'string' || !EXTENSION.test(value) || !isMembers(parent)) return undefined;
  const [, input] =
    Object.entries(parent).find(([key]) => key === 'input' || meantField(key, ['input']) !== undefined) ?? [];
  return isPlainFile(input) ? outputBeside(plainPath(input), value.toLowerCase()) : undefined;
}

/** Fields whose value means the same under any name. */
const RENAMED: ReadonlySet<string> = new Set(
  'input output path at timeoutSeconds noiseDb minSeconds crossfade name query columns rows'.split(' '),
);

/** The maximum length of a value that a fix repeats. */
const MAX_VALUE = 200;

/**
 * Corrects the value of a field that was sent under another name. Removes units and the folders of another machine, and keeps the value
 * within the limits of the field.
 */
export function renamedValue(near: string, value: unknown): unknown {
  if (near === 'crossfade' && isMembers(value))
    return renamedValue(near, value['seconds'] ?? value['duration'] ?? value['length']);
  if (typeof value === 'number') return near === 'timeoutSeconds' ? Math.min(value, MAX_CALL_WAIT_SECONDS) : value;
  if (typeof value !== 'string' || value === '' || value.length > MAX_VALUE) return undefined;
  if (/^(?:input|output|path)$/.test(near)) return plainPath(value);
  if (/^(?:name|query)$/.test(near)) return value;
  const number = Number(/^(-?\d+(?:\.\d+)?) *(?:dB|s|sec|seconds)?$/i.exec(value)?.[1] ?? Number.NaN);
  if (!Number.isNaN(number)) return renamedValue(near, number);
  const [, hours = '0', minutes, seconds] = /^(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)$/.exec(value) ?? [];
  return near === 'at' && minutes !== undefined
    ? Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
    : undefined;
}

/** A path in the media root. Folders of another machine are removed. */
function plainPath(text: string): string {
  const path = parseMediaPath(text, '');
  const guess = typeof path === 'string' ? hostPath(text, path)?.guess : undefined;
  if (guess !== undefined) return guess;
  return foreignPath(text) === undefined ? text : lastPart(text);
}
