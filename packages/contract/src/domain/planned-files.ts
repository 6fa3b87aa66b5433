import { parseStoredPath } from './bucket-path.ts';
import { type FailureCode, JobFailed } from './failure.ts';
import { type Hint, hint, READ_JOB_LOG } from './hint.ts';
import { FIRST_OUTPUTS, type JobOutput, type OutputReport } from './job.ts';
import { isManifest, type MediaPath } from './media-path.ts';
import { parseNumberedName } from './numbered-name.ts';
import type { OutputFiles } from './plan.ts';
import { isPlannedName } from './planned-names.ts';
import { shorten } from './quantity.ts';
import { plainText } from './text-validation.ts';

/** A finished file in `out/`, the folder to which ffmpeg writes. */
export interface FinishedFile {
  /** The path of the file, relative to `out/`. */
  readonly name: string;
  /** The path of the published file in the client's media root. */
  readonly path: MediaPath;
  /** Files are published in the order of their ranks. A file refers only to files with a lower rank. */
  readonly rank: number;
  /** The index of the output to which the file belongs. */
  readonly output: number;
  /** The path of the main file of the output: the file that the client named, the manifest, or the first numbered file. */
  readonly main: MediaPath;
}

/** The most files that a job can publish. */
export const MAX_OUTPUT_FILES = 10_000;

/**
 * The most bytes that the paths of all files of a job can have together. The database stores each path some times, and reading or writing
 * all of them takes the time of other requests. 10,000 files may have 400 bytes each.
 */
const MAX_PATH_BYTES = 4_000_000;

interface PlannedFiles {
  /** Adds a file by its path relative to `out/`. Throws FFMPEG_FAILED if it is not in the plan, and UNSUPPORTED if there are too many or their paths too long. */
  add(name: string): void;
  /**
   * Lists the files in the order of publishing: segments and other files by name, then playlists, outputs that the client named, and
   * manifests. Throws FFMPEG_FAILED if the main file of an output is missing, and UNSUPPORTED if two files have the same path.
   */
  inOrder(): readonly FinishedFile[];
}

/** Finds out to which output of a plan each written file belongs, and where it is published. */
export function plannedFiles(outputs: readonly OutputFiles[]): PlannedFiles {
  const namesOf = new Map(outputs.map((output) => [output, [] as string[]]));
  let count = 0;
  let pathBytes = 0;
  return {
    add: (name) => {
      const output = outputs.find(
        ({ names, subfolder }) => name.startsWith(subfolder) && isPlannedName(names, name.slice(subfolder.length)),
      );
      if (output === undefined) throw unexpectedFile(name, outputs);
      namesOf.get(output)?.push(name.slice(output.subfolder.length));
      count += 1;
      pathBytes += Buffer.byteLength(`${output.folder}${name.slice(output.subfolder.length)}`);
      if (count > MAX_OUTPUT_FILES) throw tooManyFiles();
      if (pathBytes > MAX_PATH_BYTES) throw tooLongPaths(output.folder);
    },
    inOrder: () => {
      const files = outputs.flatMap((output, index) =>
        filesOf(output, namesOf.get(output) ?? []).map((file) => ({ ...file, output: index })),
      );
      const paths = new Set<string>();
      for (const { path } of files) {
        if (paths.has(path)) throw sameFile(path);
        paths.add(path);
      }
      return files.toSorted((a, b) => a.rank - b.rank);
    },
  };
}

/** Returns the files of one output. `names`: the names of the files in the subfolder of the output. */
function filesOf(output: OutputFiles, names: readonly string[]): readonly Omit<FinishedFile, 'output'>[] {
  const { folder, subfolder } = output;
  const outputName = output.logical.slice(`out/${subfolder}`.length);
  const numbered = parseNumberedName(outputName);
  const numberIn = (name: string): number => numbered?.read(name) ?? -1;
  const rankOf = (name: string): number => {
    if (name === output.manifest) return 3;
    return `${folder}${name}` === output.path ? 2 : Number(PLAYLIST.test(name));
  };
  const sorted = names
    .map((name) => ({ name, rank: rankOf(name), number: numberIn(name) }))
    .toSorted((a, b) => a.rank - b.rank || a.number - b.number || (a.name < b.name ? -1 : 1));
  const pathOf = (name: string): MediaPath => (name === outputName ? output.path : publishedPath(folder, name));
  const main =
    sorted.find(({ name }) => name === outputName || `${folder}${name}` === output.path) ??
    sorted.find(({ name }) => name === output.manifest) ??
    sorted.find(({ name, number }) => output.dated === true || number >= 0 || isVariant(name, outputName));
  if (main === undefined)
    throw failed(
      'FFMPEG_FAILED',
      `ffmpeg ended without an error but did not write "${output.path}".`,
      hint`${READ_JOB_LOG}. Often no stream of the input fits the options.`,
    );
  const mainPath = pathOf(main.name);
  return sorted.map(({ name, rank }) => ({ name: `${subfolder}${name}`, path: pathOf(name), rank, main: mainPath }));
}

const sameFile = (path: MediaPath) =>
  failed(
    'UNSUPPORTED',
    `Two outputs of the conversion have a file with the path "${path}"; nothing was published.`,
    'Send other names, or another folder for one of the outputs.',
  );

const PLAYLIST = /\.(?:m3u8?|mpd)$/i;

/** Whether `name` is `pattern` with `%v` replaced by the number or the name of a variant. ffmpeg's HLS muxer replaces `%v` in this way. */
function isVariant(name: string, pattern: string): boolean {
  const [before = '', ...rest] = pattern.split('%v');
  const after = rest.at(-1);
  return (
    after !== undefined && name.startsWith(before) && name.endsWith(after) && name.length > before.length + after.length
  );
}

/** Returns the path of a published file. Throws UNSUPPORTED for a name that no path may have. ffmpeg options can cause such a name. */
function publishedPath(folder: string, name: string): MediaPath {
  const parsed = parseStoredPath(`${folder}${name}`);
  if (typeof parsed === 'string') return parsed;
  throw failed('UNSUPPORTED', `The conversion wrote a file that cannot be published: ${parsed.message}`);
}

/**
 * Rejects overwrites that `"y"` does not allow. Even with `"y"`, a conversion never replaces one of its inputs. It replaces further files
 * only if the main output exists too, as in a repeated conversion. Otherwise a mistake in ffmpeg options, which name the further files,
 * could replace any file in their folder. Throws INPUT_INVALID, OUTPUT_EXISTS.
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
 * Returns the outputs of a job in the order in which its view shows them: outputs that the client named, then other files. If the view
 * shows only the first files, manifests come before the other files. `prepared` has one element for each element of `files`. Throws
 * FFMPEG_FAILED if an output that the client named is empty.
 */
export function jobOutputs(
  finished: readonly { readonly files: Pick<OutputFiles, 'path'>; readonly report: OutputReport }[],
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

const failed = (code: FailureCode, message: string, fix?: Hint): JobFailed =>
  new JobFailed({ code, message, ...(fix && { fix }) });

const tooManyFiles = () =>
  failed(
    'UNSUPPORTED',
    `The conversion wrote more than ${MAX_OUTPUT_FILES} files, which is the most that can be published.`,
    'Write fewer files: longer segments, a lower frame rate, or a part of the input per job.',
  );

const tooLongPaths = (folder: string) =>
  failed(
    'UNSUPPORTED',
    `The paths of all files of the conversion together have more than ${MAX_PATH_BYTES / 1e6} MB, which is the most that can be published. Each begins with a folder of ${Buffer.byteLength(folder)} bytes.`,
    'Send a shorter output path, or write fewer files.',
  );

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

/** The failure of a conversion that wrote a symlink, a device, a pipe, a socket or a hard link. */
export const notOwnFile = (name: string): JobFailed =>
  failed(
    'FFMPEG_FAILED',
    `The conversion wrote "${shown(name)}", which is not an ordinary file of its own; nothing was published.`,
    SUSPICIOUS,
  );

const replacesInput = (path: string): JobFailed =>
  failed(
    'INPUT_INVALID',
    `The conversion wrote "${path}", which is one of its inputs; nothing was changed.`,
    'Send other names for the further files, or another output path.',
  );

const replacesOther = (path: string): JobFailed =>
  failed(
    'OUTPUT_EXISTS',
    `The conversion wrote "${path}", which already exists, while its main output is new; nothing was changed.`,
    'Send other names for the further files, or another output path: "y" replaces them only together with the main output.',
  );

const emptyOutput = (path: string): JobFailed =>
  failed('FFMPEG_FAILED', `ffmpeg wrote an empty file for "${path}".`, hint`${READ_JOB_LOG}.`);
