import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import {
  extension,
  folderOf,
  isManifest,
  type MediaPath,
  parseMediaPath,
} from '@telecine/contract/domain/media-path.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { UnfinishedJobs } from './ports.ts';

/** A path of a client: of a file, or, if it ends with a slash, of a folder. */
export type EntryPath = string;

/** Members of a request that never contain paths of files. */
const NO_PATHS: ReadonlySet<string> = new Set(['metadata', 'callbackUrl', 'after']);

/** File extensions of the segments that a playlist names. */
const SEGMENTS: ReadonlySet<string> = new Set(['ts', 'm4s', 'mp4', 'm4a', 'aac', 'vtt', 'key', 'm3u8', 'mpd']);

/**
 * Throws FILE_IN_USE if an unfinished job of the client reads or writes one of `paths`. A job that is submitted later is
 * not found: it then fails, because its input is missing.
 */
export async function requireUnused(
  jobs: UnfinishedJobs,
  { clientId, root }: { readonly clientId: string; readonly root: MediaRoot },
  paths: readonly EntryPath[],
): Promise<void> {
  const texts = new Set(paths.flatMap(textsOf));
  const isUsing = (request: ConversionRequest): boolean => paths.some((path) => usesPath(request, root, path));
  const job = await jobs.findUnfinished(clientId, [...texts], isUsing);
  if (job === undefined) return;
  const what = paths.map((path) => JSON.stringify(path)).join(' or ');
  throw new Problem('FILE_IN_USE', `Job ${job.jobId}, which is ${job.status}, reads or writes ${what}.`, {
    fix: [{ do: 'wait-for-job', jobId: job.jobId }, ', or cancel it; then send the request again.'],
  });
}

/**
 * Returns parts of JSON texts. Each request that uses a path contains at least one: the name, a counter of a file name
 * pattern, or the name of a playlist.
 */
function textsOf(path: EntryPath): readonly string[] {
  const isFolder = path.endsWith('/');
  const name = path.slice(folderOf(isFolder ? path.slice(0, -1) : path).length);
  const inJson = JSON.stringify(name).slice(1, -1);
  return isFolder ? [inJson] : [inJson, '%', '.m3u8', '.mpd'];
}

/** Returns whether a request reads or writes a file, or something in a folder. */
export function usesPath(request: ConversionRequest, root: MediaRoot, path: EntryPath): boolean {
  const { parameters: _, ...rest } = request;
  return (
    someText(rest, (text) => isSame(text, root, path)) ||
    // Some filters name files in their text, such as "subtitles=movies/in.srt".
    // A path without letters, such as "16/", is more likely a number.
    (/\p{L}/u.test(path) && someText(parametersOf(request), (text) => text.includes(path)))
  );
}

/** Returns all options of a request: a filter can name a file. */
const parametersOf = ({ parameters, inputs = [], outputs = [] }: ConversionRequest): unknown => [
  parameters,
  ...inputs.map((one) => (typeof one === 'string' ? undefined : one.parameters)),
  ...outputs.map((one) => one.parameters),
];

function isSame(text: string, root: MediaRoot, path: EntryPath): boolean {
  const used = parseMediaPath(text, root.pathPrefix);
  if (typeof used !== 'string') return false;
  if (path.endsWith('/')) return used.startsWith(path);
  return used === path || matchesPattern(used, path) || isSegmentOf(used, path as MediaPath);
}

/** Returns whether `used` is a file name pattern in the folder of `path`: any file there can be one of its numbers. */
const matchesPattern = (used: MediaPath, path: string): boolean =>
  used.includes('%') && folderOf(used) === folderOf(path) && extension(used) === extension(path as MediaPath);

/** Returns whether `path` can be a file that the playlist `used` names. */
const isSegmentOf = (used: MediaPath, path: MediaPath): boolean =>
  isManifest(used) && folderOf(used) !== '' && path.startsWith(folderOf(used)) && SEGMENTS.has(extension(path));

/** Returns whether `test` accepts at least one text in a JSON value. */
function someText(value: unknown, test: (text: string) => boolean): boolean {
  if (typeof value === 'string') return test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, member]) => !NO_PATHS.has(name) && someText(member, test));
}
