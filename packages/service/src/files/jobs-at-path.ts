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
import { turnsBySize } from '@telecine/contract/domain/steps.ts';
import type { UnfinishedJob, UnfinishedJobs } from './ports.ts';

/** A path of a client: of a file, or, if it ends with a slash, of a folder. */
export type EntryPath = string;

/** Members of a request that never contain paths of files. */
const NO_PATHS: ReadonlySet<string> = new Set(['metadata', 'callbackUrl', 'after']);

/** File extensions of the segments that a playlist names. */
const SEGMENTS: ReadonlySet<string> = new Set(['ts', 'm4s', 'mp4', 'm4a', 'aac', 'vtt', 'key', 'm3u8', 'mpd']);

interface CallerRoot {
  readonly clientId: string;
  readonly root: MediaRoot;
}

/**
 * Throws FILE_IN_USE if an unfinished job of the client reads or writes one of `paths`. A job that is submitted later is
 * not found: it then fails, because its input is missing. Neither is a job of another client that shares the folder: this
 * client may not know of it.
 */
export async function requireUnused(
  jobs: UnfinishedJobs,
  caller: CallerRoot,
  paths: readonly EntryPath[],
): Promise<void> {
  const [job] = (await usersOf(jobs, caller, paths)).values();
  if (job !== undefined) throw fileInUse(job, paths);
}

export function fileInUse({ jobId, status }: Pick<UnfinishedJob, 'jobId' | 'status'>, paths: readonly EntryPath[]) {
  const what = paths.map((path) => JSON.stringify(path)).join(' or ');
  return new Problem('FILE_IN_USE', `Job ${jobId}, which is ${status}, reads or writes ${what}.`, {
    fix: [{ do: 'wait-for-job', jobId }, ', or cancel it; then send the request again.'],
  });
}

/** How many characters of requests are searched for a path in one turn of the event loop. It takes some milliseconds. */
const TURN_CHARACTERS = 256 * 1024;

/**
 * Returns whether a text contains `part`, of which it compares the last 250 characters: V8 searches for up to 250 in linear
 * time, and for more in quadratic time. Rather take a file for used than hold up other requests.
 */
const containsEnd = (text: string, part: string): boolean => text.includes(part.slice(-250));

/**
 * Finds the unfinished jobs of the client that read or write `paths`. Reads its jobs once for all paths. Returns one job
 * for each path that is used.
 */
export async function usersOf(
  jobs: UnfinishedJobs,
  { clientId, root }: CallerRoot,
  paths: readonly EntryPath[],
): Promise<ReadonlyMap<EntryPath, Pick<UnfinishedJob, 'jobId' | 'status'>>> {
  const users = new Map<EntryPath, Pick<UnfinishedJob, 'jobId' | 'status'>>();
  const unused = new Map(paths.map((path) => [path, nameInJson(path)]));
  if (unused.size === 0) return users;
  const turn = turnsBySize(TURN_CHARACTERS);
  for await (const { jobId, status, request } of jobs.unfinished(clientId)) {
    const usesMany = MANY_FILES.test(request);
    let uses: Uses | undefined;
    for (const [path, name] of unused) {
      await turn(request.length);
      if (!usesMany && !containsEnd(request, name)) continue;
      uses ??= usesOf(JSON.parse(request), root);
      if (isUsed(uses, path) && unused.delete(path)) users.set(path, { jobId, status });
    }
    if (unused.size === 0) break;
  }
  return users;
}

/** What the JSON of a request contains if it uses files that it does not name: a file name pattern or a playlist. */
const MANY_FILES = /%|\.m3u|\.mpd/i;

/** Returns the name of a file or folder as the JSON of each request that names it contains it. */
function nameInJson(path: EntryPath): string {
  const isFolder = path.endsWith('/');
  const name = path.slice(folderOf(isFolder ? path.slice(0, -1) : path).length);
  return JSON.stringify(name).slice(1, -1);
}

/** What a request reads and writes. `options`: values of options that may name files. */
interface Uses {
  readonly paths: readonly MediaPath[];
  readonly options: readonly string[];
}

function usesOf(request: ConversionRequest, root: MediaRoot): Uses {
  const { parameters: _, ...rest } = request;
  const paths = textsIn(rest).map((text) => parseMediaPath(text, root.pathPrefix));
  return { paths: paths.filter((path) => typeof path === 'string'), options: textsIn(parametersOf(request)) };
}

/** Returns whether a request reads or writes a file, or something in a folder. */
const isUsed = ({ paths, options }: Uses, path: EntryPath): boolean =>
  paths.some((used) => isSame(used, path)) ||
  // Some filters name files in their text, such as "subtitles=movies/in.srt".
  // A path without letters, such as "16/", is more likely a number.
  (options.some((text) => containsEnd(text, path)) && /\p{L}/u.test(path));

/** Returns all options of a request: a filter can name a file. */
const parametersOf = ({ parameters, inputs = [], outputs = [] }: ConversionRequest): unknown => [
  parameters,
  ...inputs.map((one) => (typeof one === 'string' ? undefined : one.parameters)),
  ...outputs.map((one) => one.parameters),
];

function isSame(used: MediaPath, path: EntryPath): boolean {
  if (path.endsWith('/')) return used.startsWith(path);
  return used === path || matchesPattern(used, path) || isSegmentOf(used, path as MediaPath);
}

/** Returns whether `used` is a file name pattern in the folder of `path`: any file there can be one of its numbers. */
const matchesPattern = (used: MediaPath, path: string): boolean =>
  used.includes('%') && folderOf(used) === folderOf(path) && extension(used) === extension(path as MediaPath);

/** Returns whether `path` can be a file that the playlist `used` names. */
const isSegmentOf = (used: MediaPath, path: MediaPath): boolean =>
  isManifest(used) && folderOf(used) !== '' && path.startsWith(folderOf(used)) && SEGMENTS.has(extension(path));

/** Returns all texts in a JSON value. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => (NO_PATHS.has(name) ? [] : textsIn(member)));
}
