import { parseStoredPath } from '@telecine/contract/domain/bucket-path.ts';
import { baseName, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import {
  FIRST_NUMBERS,
  MAX_FRAMES,
  type NumberedName,
  parseNumberedName,
} from '@telecine/contract/domain/numbered-name.ts';
import type { PlannedInput } from '@telecine/contract/domain/plan.ts';
import { literalStart, matchesInShell } from '@telecine/contract/domain/wildcard.ts';
import type { SequenceGap } from '../../../jobs/ports/media-store.ts';
import { findExistingFrames } from '../../file-names.ts';
import { failed, folderAsInput, noFrames, noMatches, tooManyFrames } from '../../job-failures.ts';
import { type Bucket, type FoundObject, findObject, type ListedObject, listNames } from '../bucket.ts';

/** The images of a sequence, in order. */
interface FoundFrames {
  readonly frames: readonly FoundObject[];
  readonly gap?: SequenceGap;
}

/**
 * Finds the images of a sequence like ffmpeg's image2 demuxer. The first number is `startNumber` (default 0) or one of
 * the next four, and a missing number ends the sequence. A wildcard selects all objects that match. Throws
 * INPUT_NOT_FOUND, INPUT_INVALID and errors of S3.
 */
export async function findFrames(
  bucket: Bucket,
  { path, sequence }: PlannedInput,
  signal: AbortSignal,
): Promise<FoundFrames> {
  const exact = await findObject(bucket, path, signal);
  if (exact !== undefined) return { frames: [exact] };
  const folder = path.slice(0, path.length - baseName(path).length);
  const frameAt = ({ name, ...facts }: ListedObject): FoundObject => ({ path: frameIn(folder, name), ...facts });
  if (sequence?.glob === true) {
    const matches = await findMatches(bucket, folder, baseName(path), signal);
    if (matches.length === 0) throw noMatches(path);
    return { frames: matches.map(frameAt) };
  }
  const name = parseNumberedName(baseName(path));
  if (name === undefined) return { frames: [] };
  const listed = await listNumbered(bucket, folder, name, signal);
  const start = sequence?.startNumber ?? 0;
  const candidates = Array.from({ length: FIRST_NUMBERS }, (_, i) => start + i);
  const first = candidates.find((number) => listed.has(number));
  if (first === undefined) {
    const names = await listLike(bucket, folder, name, signal);
    throw noFrames(path, name, start, findExistingFrames(baseName(path), names));
  }
  const frames: FoundObject[] = [];
  for (let frame = listed.get(first); frame !== undefined; frame = listed.get(first + frames.length)) {
    if (frames.length === MAX_FRAMES) throw tooManyFrames(path);
    frames.push(frameAt(frame));
  }
  const end = first + frames.length;
  const unread = [...listed.keys()].filter((number) => number > end).length;
  return { frames, ...(unread > 0 && { gap: { frames: frames.length, missing: name.format(end), unread } }) };
}

const frameIn = (folder: string, name: string): MediaPath => {
  const path = parseStoredPath(folder + name);
  if (typeof path === 'string') return path;
  throw failed('INPUT_INVALID', `Input "${folder}${name}" has a name that is not a path: ${path.message}`);
};

/** Finds the objects in a folder whose names match a sequence. Returns them by the numbers in their names. */
async function listNumbered(
  bucket: Bucket,
  folder: string,
  name: NumberedName,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, ListedObject>> {
  const listed = new Map<number, ListedObject>();
  for await (const entry of listNames(bucket, folder, name.before, signal)) {
    const number = 'name' in entry ? name.read(entry.name) : undefined;
    if (number !== undefined && 'name' in entry) listed.set(number, entry);
  }
  return listed;
}

/** Lists up to `MAX_FRAMES` names that begin like the names of a sequence. */
async function listLike(
  bucket: Bucket,
  folder: string,
  { before }: NumberedName,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const entry of listNames(bucket, folder, before, signal)) {
    if ('name' in entry) names.push(entry.name);
    if (names.length === MAX_FRAMES) break;
  }
  return names;
}

/** Finds the objects in a folder that match a wildcard. Like a shell, sorts them by name and omits hidden files. */
async function findMatches(
  bucket: Bucket,
  folder: string,
  pattern: string,
  signal: AbortSignal,
): Promise<readonly ListedObject[]> {
  const isMatch = matchesInShell(pattern, signal);
  const found: ListedObject[] = [];
  for await (const entry of listNames(bucket, folder, literalStart(pattern), signal)) {
    if ('folderName' in entry) {
      if (await isMatch(entry.folderName)) throw folderAsInput(`${folder}${entry.folderName}`);
    } else if (await isMatch(entry.name)) found.push(entry);
    if (found.length > MAX_FRAMES) throw tooManyFrames(`${folder}${pattern}`);
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}
