import { posix } from 'node:path';
import { baseName, type MediaPath, parseMediaPath } from '@telecine/contract/domain/media-path.ts';
import type { OutputFiles, Warning } from '@telecine/contract/domain/plan.ts';
import { FILE_NAME_OPTIONS, type FileNameOption, type PlannedName } from '@telecine/contract/domain/planned-names.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import {
  cueCount,
  isWithinLimits,
  THUMBNAIL_TRACK,
  type ThumbnailTrack,
  trackName,
} from '@telecine/contract/domain/thumbnail-track.ts';
import { readNumber } from '../../values/number.ts';
import { quoted, type ValueError } from '../../values/value-error.ts';
import { type ArgvOption, hasKey, isBooleanOn, lastValue, serviceOption } from '../request/argv-option.ts';
import type { OutputRequest } from '../request/parse-request.ts';
import { dashFiles } from './dash-files.ts';
import { hlsFiles } from './hls-files.ts';
import {
  COUNTERS,
  checkExpandedLength,
  containsCounter,
  filesOfOption,
  findNameClash,
  numberCounter,
  type OutputFilePattern,
  type OutputNaming,
  parseNamePattern,
} from './name-pattern.ts';
import { plannedNames } from './planned-names.ts';
import { checkDateName, datePattern, SAME_SECOND } from './strftime-names.ts';
import {
  checkMarks,
  checkMasterFolder,
  checkVariantNames,
  checkVariantStreams,
  VARIANT_MARK,
  variantNames,
} from './variant-streams.ts';

/** The names of an output, and of all files that ffmpeg writes for it. */
export interface OutputTarget {
  /** The output in the argv: `out/NAME` or `out/1/NAME`. With `%v` if ffmpeg writes several playlists. */
  readonly logical: string;
  /** The names below `out/` that ffmpeg can write in the output's folder. */
  readonly names: readonly PlannedName[];
  /** The folder of the media root in which the files of `names` are published: '' or, for example, `hls/`. */
  readonly folder: string;
  /** The playlist or list that names the other files, in the same folder. */
  readonly manifest?: string;
  /** The folders below `out/` that ffmpeg does not create itself. */
  readonly folders: readonly string[];
  /** The options of the output, with logical names for files. */
  readonly options: readonly ArgvOption[];
  /** True if ffmpeg expands dates in file names (option `strftime`). */
  readonly dated: boolean;
  readonly warnings: readonly Warning[];
}

/**
 * Chooses the names of the output and its other files in the argv. An option may name a file relative to the folder of the output, as on a
 * command line, or by a path of the media root within this folder.
 *
 * @param about `root`: the prefix of paths in the media root. `subfolder`: the folder below `out/` of this output alone: '' or, for
 * example, `1/`.
 */
export function resolveOutputTarget(
  output: MediaPath,
  muxer: string,
  options: readonly ArgvOption[],
  { root, subfolder }: { readonly root: string; readonly subfolder: string },
  errors: FieldError[],
): OutputTarget {
  const main = muxer === 'hls' ? nameHlsOutput(output, options, errors) : { name: baseName(output), options };
  const folder = output.slice(0, output.length - main.name.length);
  const name = main.logical ?? main.name;
  const files = resolveNamedFiles(main.options, { name, folder, root, subfolder }, errors);
  const base = hlsBaseUrl(name, files.named.get('hls_segment_filename')?.path, files.options, errors);
  const dated = MUXERS_WITH_STRFTIME.has(muxer) && isBooleanOn('strftime', files.options);
  const warnings: Warning[] = [];
  const naming = { name, options: files.options, named: files.named, dated, errors, warnings };
  checkNames(muxer, naming);
  return {
    logical: `out/${subfolder}${name}`,
    names: plannedNames(muxer, naming),
    folder,
    ...(files.manifest === undefined ? {} : { manifest: files.manifest }),
    folders: [...(subfolder === '' ? [] : [`out/${subfolder.slice(0, -1)}`]), ...files.folders],
    options: base === undefined ? files.options : [...files.options, base],
    dated,
    warnings,
  };
}

/** The folder of an output's files, and the manifest that an option or a thumbnail track names. */
export function folderAndManifest(
  output: MediaPath,
  muxer: string,
  options: readonly ArgvOption[],
  { scope, thumbnailTrack }: Pick<OutputRequest, 'scope' | 'thumbnailTrack'>,
): Pick<OutputFiles, 'folder' | 'manifest'> {
  const name = muxer === 'hls' ? nameOfVariants(output) : baseName(output);
  const folder = output.slice(0, output.length - name.length);
  const named = options.flatMap(({ name: option, values: [text] }): string[] => {
    const rule = FILE_NAME_OPTIONS.get(option.name);
    if (rule?.isManifest !== true || text === undefined) return [];
    const file = nameBelowOutput(text, rule, folder, scope.pathPrefix);
    return typeof file === 'string' ? [file] : [];
  });
  const manifest = thumbnailTrack === undefined ? named.at(-1) : trackName(output);
  return { folder, ...(manifest !== undefined && { manifest }) };
}

/** The end of the path of an HLS output that differs between its variants. Without `%v`, this is the last part. */
function nameOfVariants(output: MediaPath): string {
  const segments = output.split('/');
  const first = segments.findIndex((segment) => segment.includes(VARIANT_MARK));
  return first < 0 ? baseName(output) : segments.slice(first).join('/');
}

/** Muxers that expand dates in file names if `strftime` is set. */
const MUXERS_WITH_STRFTIME: ReadonlySet<string> = new Set(['hls', 'segment', 'image2']);

/** Muxers that expand counters in the output's name. */
const MUXERS_WITH_PATTERNS: ReadonlySet<string> = new Set(['segment', 'image2']);

/** Resolves the options that name files. Returns all options with file names as in the argv. */
function resolveNamedFiles(
  options: readonly ArgvOption[],
  output: { readonly name: string; readonly folder: string; readonly root: string; readonly subfolder: string },
  errors: FieldError[],
) {
  const folders = new Set<string>();
  const named = new Map<string, { readonly option: ArgvOption; readonly path: string }>();
  let manifest: string | undefined;
  const renamed = options.map((option) => {
    const rule = FILE_NAME_OPTIONS.get(option.name.name);
    const [text] = option.values;
    if (rule === undefined || text === undefined) return option;
    const file = nameBelowOutput(text, rule, output.folder, output.root);
    if (typeof file !== 'string') {
      errors.push({ field: option.field, ...file });
      return option;
    }
    const isFromOutput = rule.relativeTo === 'output folder';
    const path = posix.join(isFromOutput ? posix.dirname(output.name) : '.', file);
    const folder = posix.dirname(path);
    if (folder !== '.' && !folder.includes(VARIANT_MARK)) folders.add(`out/${output.subfolder}${folder}`);
    if (rule.isManifest === true) manifest = file;
    named.set(option.name.name, { option, path });
    return { ...option, values: [isFromOutput ? file : `out/${output.subfolder}${file}`] };
  });
  return { options: renamed, named, folders, manifest };
}

const FILES_OF_MUXERS: ReadonlyMap<string, (naming: OutputNaming) => readonly OutputFilePattern[]> = new Map([
  ['hls', hlsFiles],
  ['dash', dashFiles],
  ['segment', segmentFiles],
]);

function checkNames(muxer: string, naming: OutputNaming): void {
  const { name, dated, options, errors, warnings } = naming;
  if (dated && muxer !== 'hls') {
    const error = checkDateName(name, { hls: false, hasFlag: () => false });
    if (error !== undefined) errors.push({ field: '/output', ...error });
    else if (lastValue('frames:v', options) !== '1') warnings.push(SAME_SECOND);
  }
  const tooLong = MUXERS_WITH_PATTERNS.has(muxer) ? checkExpandedLength([{ name }], [], dated) : undefined;
  if (tooLong !== undefined) errors.push(tooLong);
  const files = FILES_OF_MUXERS.get(muxer)?.(naming) ?? [];
  const clash = findNameClash(files);
  if (clash !== undefined) errors.push(clash);
}

interface HlsOutput {
  /** The last part of the output's path. In the argv, it is below `out/`. */
  readonly name: string;
  /** The name in the argv. Absent: `name`. */
  readonly logical?: string;
  readonly options: readonly ArgvOption[];
}

/**
 * Chooses the names of an HLS output. With several variants, each has a playlist, and `%v` makes their names differ. A path without `%v`
 * then names the master playlist, because an output's path always names its manifest.
 */
function nameHlsOutput(output: MediaPath, options: readonly ArgvOption[], errors: FieldError[]): HlsOutput {
  const map = options.find(({ key }) => key === 'var_stream_map');
  const mapError = map && (checkVariantStreams(map.values[0] ?? '') ?? checkVariantNames(map.values[0] ?? ''));
  if (map !== undefined && mapError !== undefined) errors.push({ field: map.field, ...mapError });
  const name = nameOfVariants(output);
  if (name.includes(VARIANT_MARK)) {
    const folder = name
      .split('/')
      .slice(0, -1)
      .find((segment) => MARK_IN_FOLDER.test(segment));
    if (folder !== undefined) errors.push({ field: '/output', ...markInFolder(folder) });
    const hasMaster = options.some(({ key }) => key === 'master_pl_name');
    const misplaced = checkMarks(output) ?? (hasMaster ? checkMasterFolder(output) : undefined);
    if (misplaced !== undefined) errors.push({ field: '/output', ...misplaced });
    return { name, options };
  }
  const variants = map === undefined ? 1 : variantNames(map.values[0] ?? '').length;
  if (variants < 2) return { name, options };
  const master = options.find(({ key }) => key === 'master_pl_name');
  if (master !== undefined && master.values[0] !== name) errors.push(twoMasters(name, variants));
  return {
    name,
    logical: withMark(name),
    options: master === undefined ? [...options, serviceOption('master_pl_name', [name], true)] : options,
  };
}

/** Matches a counter or a part of a date, but not `%v`. */
const MARK_IN_FOLDER = /%(?!v)0?\d*[A-Za-z]/;

/** The error for a counter or a date in the name of the output's folder. */
const markInFolder = (folder: string): ValueError => ({
  code: 'BAD_FILE_NAME',
  message: `The folder ${quoted(folder)} has a counter or a part of a date, which ffmpeg expands for the segments but not for their playlist.`,
  allowed: [`folders without a counter or a date; "${VARIANT_MARK}" is allowed`],
});

function twoMasters(name: string, variants: number): FieldError {
  return {
    field: '/output',
    code: 'TWO_MASTERS',
    message: `"master_pl_name" names a second master playlist: with ${variants} variants, the output ${quoted(name)} without "${VARIANT_MARK}" is the master playlist.`,
  };
}

/** Adds `%v` to the end of a file name in a path. */
function withMark(path: string): string {
  const name = baseName(path as MediaPath);
  const dot = name.lastIndexOf('.');
  const end = dot <= 0 ? '' : name.slice(dot);
  return `${path.slice(0, path.length - end.length)}_${VARIANT_MARK}${end}`;
}

/** The file that the text names below `out/`, or the error in the text. */
function nameBelowOutput(
  text: string,
  { relativeTo, allowsFolders }: FileNameOption,
  outputFolder: string,
  root: string,
): string | ValueError {
  const path = /[\\:]/.test(text) ? undefined : parseMediaPath(text, root);
  if (typeof path === 'string') {
    const isFromRoot = relativeTo === 'working folder' && outputFolder !== '' && path.startsWith(outputFolder);
    const isElsewhere = text.startsWith('/') && !isFromRoot && outputFolder !== '';
    const name = isFromRoot ? path.slice(outputFolder.length) : path;
    const folder = posix.dirname(name);
    if (!isElsewhere && (folder === '.' || (allowsFolders && !/\$|%(?!v)/.test(folder)))) return name;
  }
  return {
    code: 'BAD_FILE_NAME',
    message: `${quoted(text)} is not a file in the folder of the output${allowsFolders ? ', or in a folder below it whose name has no counter and no date' : ''}.`,
  };
}

/**
 * The option that writes the folder of the segments before their names in playlists. undefined: segments and playlists are in one folder.
 */
function hlsBaseUrl(
  playlist: string,
  segments: string | undefined,
  options: readonly ArgvOption[],
  errors: FieldError[],
): ArgvOption | undefined {
  if (segments === undefined || hasKey(options, 'hls_base_url')) return undefined;
  const folder = posix.relative(posix.dirname(playlist), posix.dirname(segments));
  if (folder === '') return undefined;
  if (!folder.includes(VARIANT_MARK)) return serviceOption('hls_base_url', [`${folder}/`], true);
  // `checkMarks` rejects a name with the mark, too.
  if (posix.basename(segments).includes(VARIANT_MARK)) return undefined;
  const own = posix.dirname(playlist);
  const isMarked = own.includes(VARIANT_MARK);
  errors.push({
    field: '/parameters/hls_segment_filename',
    code: 'BAD_FILE_NAME',
    message: `The folder of the segments has "${VARIANT_MARK}", but ${isMarked ? 'differs from the folder of the playlists' : 'the folder of the playlists does not'}. All playlists get one "hls_base_url", so they cannot name a different folder for each variant.`,
  });
  return undefined;
}

/** The segments and the list of the muxer `segment`. */
function segmentFiles(naming: OutputNaming): readonly OutputFilePattern[] {
  const { name, options, dated, errors } = naming;
  const start = readNumber(lastValue('segment_start_number', options) ?? '') ?? 0;
  const pattern = dated
    ? datePattern(name)
    : parseNamePattern(name, COUNTERS, ([, width]) => (width === undefined ? '%' : numberCounter(width, start)));
  const counters = pattern.filter((part) => typeof part !== 'string').length;
  if (!containsCounter(pattern) || (counters > 1 && !dated))
    errors.push({
      field: '/output',
      code: 'NEEDS_COUNTER',
      message:
        counters === 0
          ? `${quoted(name)} has no counter, so each segment would overwrite the one before.`
          : `${quoted(name)} has ${counters} counters; ffmpeg expands only one.`,
      allowed: ['a name with one counter, such as %03d'],
    });
  return [{ what: 'the segments', name, pattern }, ...filesOfOption(naming, 'segment_list', 'the list')];
}

const FIELD = '/thumbnailTrack';

/** Muxers of images that players support for a thumbnail track. */
const IMAGE_MUXERS: ReadonlySet<string> = new Set(['image2', 'webp', 'avif']);

/** Adds the WebVTT file that the service writes for a sheet of images. It names the sheet, so it is published last. */
export function withThumbnailTrack(
  target: OutputTarget,
  track: ThumbnailTrack,
): OutputTarget & Pick<OutputFiles, 'track'> {
  const name = trackName(target.logical.slice(target.logical.lastIndexOf('/') + 1) as MediaPath);
  return { ...target, names: [...target.names, [name]], manifest: name, track: { ...track, name } };
}

/** Checks that the output is one sheet of images with a place for each cue. */
export function checkThumbnailTrack(
  track: ThumbnailTrack,
  { path, muxer, isSeries }: { readonly path: MediaPath; readonly muxer: string; readonly isSeries: boolean },
  errors: FieldError[],
): void {
  const cues = cueCount(track);
  const places = track.columns * track.rows;
  if (!IMAGE_MUXERS.has(muxer) || isSeries)
    errors.push({
      field: FIELD,
      code: 'NOT_A_SHEET',
      message: `"thumbnailTrack" describes one sheet of images, but "${path}" ${isSeries ? 'is several files' : 'is not an image'}.`,
    });
  else if (!isWithinLimits(track))
    errors.push({
      field: FIELD,
      code: 'OUT_OF_RANGE',
      message: `"thumbnailTrack" is out of range: ${JSON.stringify(track)}. "everySeconds" and "durationSeconds" must be from ${THUMBNAIL_TRACK.minSeconds} to ${THUMBNAIL_TRACK.maxSeconds}, "columns" and "rows" whole numbers from 1 to ${THUMBNAIL_TRACK.sides}, and the track may have at most ${THUMBNAIL_TRACK.cues} images.`,
    });
  else if (cues > places)
    errors.push({
      field: FIELD,
      code: 'TOO_MANY',
      message: `The track has ${cues} images, but ${track.columns} columns of ${track.rows} rows have places for only ${places}.`,
    });
}
