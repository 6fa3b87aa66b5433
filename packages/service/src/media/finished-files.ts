import { type Dirent, lstatSync } from 'node:fs';
import { lstat, readdir, rm, writeFile } from 'node:fs/promises';
import { parseStoredPath } from '@telecine/contract/domain/bucket-path.ts';
import { hint, READ_JOB_LOG } from '@telecine/contract/domain/hint.ts';
import { FIRST_OUTPUTS, type JobOutput } from '@telecine/contract/domain/job.ts';
import { isManifest, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import { parseNumberedName } from '@telecine/contract/domain/numbered-name.ts';
import type { OutputFiles } from '@telecine/contract/domain/plan.ts';
import { isPlannedName } from '@telecine/contract/domain/planned-names.ts';
import { shorten } from '@telecine/contract/domain/quantity.ts';
import { nextTurn } from '@telecine/contract/domain/steps.ts';
import { plainText } from '@telecine/contract/domain/text-validation.ts';
import type { FinishedOutput } from '../jobs/ports/media-store.ts';
import { emptyOutput, failed, replacesInput, replacesOther } from './job-failures.ts';
import { type DirectoryHandle, openNested } from './scratch/directory-handle.ts';

/** A finished file in the folder `out/`, to which ffmpeg writes. */
export interface FinishedFile {
  /** The path of the file, relative to `out/`. */
  readonly name: string;
  /** The path of the published file in the client's media root. */
  readonly path: MediaPath;
  /**
   * Files are published in the order of their ranks. A file refers only to files with a lower rank, such as a playlist
   * to its segments.
   */
  readonly rank: number;
  /** The index of the output to which the file belongs. */
  readonly output: number;
  /**
   * The path of the main file of the output: the file that the client named, the manifest, or the first numbered file.
   */
  readonly main: MediaPath;
}

/** The maximum number of files that a job can publish. With more files, its row in the database would be too large. */
const MAX_OUTPUT_FILES = 10_000;

/**
 * The maximum number of files that are read in one turn of the event loop. Reading them takes about 2 ms on a local
 * disk.
 */
const FILES_PER_TURN = 256;

/**
 * Writes the files that the service itself adds to the outputs. Then lists all files in `out/` in the order of
 * publishing: first other files by name, then playlists, outputs that the client named, and manifests. Throws
 * FFMPEG_FAILED if the main file of an output is missing. Also throws it for a file that is not in the plan: a hostile
 * input may have exploited a vulnerability of ffmpeg to write it.
 */
export async function collectOutputs(
  out: DirectoryHandle,
  finished: readonly FinishedOutput[],
): Promise<readonly FinishedFile[]> {
  await writeTexts(out, finished);
  const outputs = finished.map(({ files }) => files);
  const namesOf = new Map(outputs.map((output) => [output, [] as string[]]));
  let count = 0;
  let seen = 0;
  for await (const name of namesBelow(out, '')) {
    seen += 1;
    if (seen % FILES_PER_TURN === 0) await nextTurn();
    if (DELETED_ON_NFS.test(name)) continue;
    const output = outputs.find(
      ({ names, subfolder }) => name.startsWith(subfolder) && isPlannedName(names, name.slice(subfolder.length)),
    );
    if (output === undefined) throw unexpectedFile(name, outputs);
    namesOf.get(output)?.push(name.slice(output.subfolder.length));
    count += 1;
    if (count > MAX_OUTPUT_FILES)
      throw failed(
        'UNSUPPORTED',
        `The conversion wrote more than ${MAX_OUTPUT_FILES} files, which is the most that can be published.`,
        'Write fewer files: longer segments, a lower frame rate, or a part of the input per job.',
      );
  }
  const files = outputs.flatMap((output, index) =>
    filesOf(output, namesOf.get(output) ?? []).map((file) => ({ ...file, output: index })),
  );
  const paths = new Set<string>();
  for (const { path } of files) {
    if (paths.has(path)) throw sameFile(path);
    paths.add(path);
  }
  return files.toSorted((a, b) => a.rank - b.rank);
}

/** Returns the files of one output. `names`: the names of the files in the subfolder of the output. */
function filesOf(output: OutputFiles, names: readonly string[]): readonly Omit<FinishedFile, 'output'>[] {
  const { folder, subfolder } = output;
  const outputName = output.logical.slice(`out/${subfolder}`.length);
  const numbered = parseNumberedName(outputName);
  const numberIn = (name: string): number => numbered?.read(name) ?? -1;
  const rank = (name: string): number => {
    if (name === output.manifest) return 3;
    return `${folder}${name}` === output.path ? 2 : Number(PLAYLIST.test(name));
  };
  const sorted = names.toSorted((a, b) => rank(a) - rank(b) || numberIn(a) - numberIn(b) || (a < b ? -1 : 1));
  const pathOf = (name: string): MediaPath => (name === outputName ? output.path : publishedPath(folder, name));
  const isMain = (name: string) => output.dated === true || numberIn(name) >= 0 || isVariant(name, outputName);
  const main =
    sorted.find((name) => pathOf(name) === output.path) ??
    sorted.find((name) => name === output.manifest) ??
    sorted.find(isMain);
  if (main === undefined)
    throw failed(
      'FFMPEG_FAILED',
      `ffmpeg ended without an error but did not write "${output.path}".`,
      hint`${READ_JOB_LOG}. Often no stream of the input fits the options.`,
    );
  return sorted.map((name) => ({
    name: `${subfolder}${name}`,
    path: pathOf(name),
    rank: rank(name),
    main: pathOf(main),
  }));
}

const sameFile = (path: MediaPath) =>
  failed(
    'UNSUPPORTED',
    `Two outputs of the conversion have a file with the path "${path}"; nothing was published.`,
    'Send other names, or another folder for one of the outputs.',
  );

/**
 * Yields the paths of all files in an open folder and its subfolders, relative to the folder. Throws FFMPEG_FAILED for
 * anything other than a file or a folder.
 */
async function* namesBelow(folder: DirectoryHandle, prefix: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder.pathOf('.'), { withFileTypes: true })) {
    const name = `${prefix}${entry.name}`;
    if (entry.isDirectory()) {
      await using inner = await openNested(folder, [entry.name]);
      yield* namesBelow(inner, `${name}/`);
    } else {
      await checkIsOwnFile(folder, entry, name);
      yield name;
    }
  }
}

/**
 * Rejects symlinks, devices, pipes, sockets and hard links. A hard link may be another name of a file that ffmpeg did
 * not write.
 */
async function checkIsOwnFile(folder: DirectoryHandle, entry: Dirent, name: string): Promise<void> {
  // `<= 1`: some network and FUSE file systems report 0 links for every file.
  const path = folder.pathOf(entry.name);
  if (entry.isFile() && (folder.isLocal ? lstatSync(path) : await lstat(path)).nlink <= 1) return;
  throw failed(
    'FFMPEG_FAILED',
    `The conversion wrote "${shown(name)}", which is not an ordinary file of its own; nothing was published.`,
    SUSPICIOUS,
  );
}

const unexpectedFile = (name: string, outputs: readonly OutputFiles[]) =>
  failed(
    'FFMPEG_FAILED',
    `The conversion wrote "${shown(name)}", which is not a file of the output ${outputs.map(({ path }) => `"${path}"`).join(' or ')}; nothing was published.`,
    SUSPICIOUS,
  );

const SUSPICIOUS =
  'Check the input: ffmpeg does not write such a file by itself, so a damaged or hostile input may be the cause.';

const MAX_SHOWN = 100;
const shown = (name: string): string => shorten(plainText(name), MAX_SHOWN);

/** On NFS, a deleted file that a process still has open gets such a name. */
const DELETED_ON_NFS = /(?:^|\/)\.nfs[0-9a-f]{16,}$/;

const PLAYLIST = /\.(?:m3u8?|mpd)$/i;

/**
 * Returns whether `name` is `pattern` with the number or the name of a variant instead of `%v`, as ffmpeg's HLS muxer
 * writes it.
 */
function isVariant(name: string, pattern: string): boolean {
  const [before = '', ...rest] = pattern.split('%v');
  const after = rest.at(-1);
  return (
    after !== undefined && name.startsWith(before) && name.endsWith(after) && name.length > before.length + after.length
  );
}

/**
 * Returns the path of a published file. Throws UNSUPPORTED for a name that no client could send later. Options of
 * ffmpeg can cause such names.
 */
function publishedPath(folder: string, name: string): MediaPath {
  const parsed = parseStoredPath(`${folder}${name}`);
  if (typeof parsed === 'string') return parsed;
  throw failed('UNSUPPORTED', `The conversion wrote a file that cannot be published: ${parsed.message}`);
}

/**
 * Rejects overwrites that `"y"` does not allow. Even with `"y"`, a conversion never replaces one of its inputs. Further
 * files, such as segments, are replaced only if the main output exists too, as when a conversion is repeated:
 * otherwise, a mistake in the options that name them could replace any file in their folder. Throws INPUT_INVALID,
 * OUTPUT_EXISTS.
 *
 * @param existing The ids of the files that exist, by path.
 */
export function checkOverwrites(
  files: readonly Pick<FinishedFile, 'path' | 'main'>[],
  existing: ReadonlyMap<string, string>,
  inputIds: ReadonlySet<string>,
): void {
  for (const { path, main } of files) {
    const id = existing.get(path);
    if (id === undefined) continue;
    if (inputIds.has(id)) throw replacesInput(path);
    if (!existing.has(main)) throw replacesOther(path);
  }
}

/**
 * Returns the outputs of a job in the order in which clients see them: first outputs that the client named, then other
 * files. If a reply shows only the first files, manifests come before the other files. `prepared` has one element for
 * each element of `files`. Throws FFMPEG_FAILED if an output that the client named is empty.
 */
export function jobOutputs(
  finished: readonly FinishedOutput[],
  files: readonly FinishedFile[],
  prepared: readonly Pick<JobOutput, 'sizeBytes' | 'fingerprint'>[],
): readonly JobOutput[] {
  const views = files.map(({ path, main, output }, index) => {
    const { sizeBytes = 0, fingerprint } = prepared[index] ?? {};
    const view: JobOutput = { path, sizeBytes, ...(fingerprint !== undefined && { fingerprint }) };
    return { view, output, isMain: path === main };
  });
  const named = finished.map(({ files: { path }, report }, output) => {
    const { view } = views.find((one) => one.output === output && one.isMain) ?? {};
    if (view === undefined || view.sizeBytes === 0) throw emptyOutput(path);
    return { ...view, ...report };
  });
  const others = views.flatMap(({ view, isMain }) => (isMain ? [] : view));
  if (named.length + others.length <= FIRST_OUTPUTS) return [...named, ...others];
  const manifests = others.filter(({ path }) => isManifest(path));
  return [...named, ...manifests, ...others.filter(({ path }) => !isManifest(path))];
}

/** Writes the files that the service itself adds to the outputs of a job, such as thumbnail tracks, into `out/`. */
export async function writeTexts(out: DirectoryHandle, finished: readonly FinishedOutput[]): Promise<void> {
  for (const { files, texts = [] } of finished) {
    if (texts.length === 0) continue;
    await using folder = await openNested(out, files.subfolder.split('/').filter(Boolean));
    for (const { name, text } of texts) {
      const path = folder.pathOf(name);
      // First remove what has this name: a file of an earlier attempt to publish, or a symlink that a hostile input
      // made ffmpeg create.
      await rm(path, { force: true });
      await writeFile(path, text, { flag: 'wx' });
    }
  }
}
