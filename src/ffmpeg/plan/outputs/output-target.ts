import { posix } from 'node:path';
import { baseName, type MediaPath, parseMediaPath } from '../../../domain/media-path.ts';
import type { Warning } from '../../../domain/plan.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { FILE_NAME_OPTIONS, type FileNameOption } from '../../allowlist/file-name-options.ts';
import { isOn, lastValue } from '../request/last-value.ts';
import { type ArgvOption, serviceOption } from '../request/resolve-options.ts';
import { dashFiles } from './dash-files.ts';
import { hlsFiles } from './hls-files.ts';
import { findNameClash, type OutputFiles, type OutputNaming } from './output-file-set.ts';
import { segmentFiles } from './segment-files.ts';
import { checkDateName, sameSecondWarning } from './strftime-names.ts';
import { checkVariantNames, VARIANT_MARK, variantNames } from './variant-names.ts';

/** Where an output and the files beside it go. */
export interface OutputTarget {
  /** `out/NAME`: what ffmpeg is told; with `%v` where it makes several playlists. */
  readonly logical: string;
  /** What `out/` stands for in the media root: '' or `hls/`. */
  readonly folder: string;
  /** A playlist or list, below `out/`, that names the others. */
  readonly manifest?: string;
  /** Folders below `out/` that ffmpeg does not make itself. */
  readonly folders: readonly string[];
  /** The options, those that name files with their names in the argv. */
  readonly options: readonly ArgvOption[];
  /** ffmpeg fills in the names by the date. */
  readonly dated: boolean;
  readonly warnings: readonly Warning[];
}

/**
 * Finds the output its name in the argv, and puts the files that options name (segments, lists) beside it: their names
 * count from the output's folder, or are paths of the media root in that folder, as on a command line.
 */
export function resolveOutputTarget(
  output: MediaPath,
  muxer: string,
  options: readonly ArgvOption[],
  root: string,
  errors: FieldError[],
): OutputTarget {
  const asked = muxer === 'hls' ? withVariants(output, options, errors) : { name: baseName(output), options };
  const folder = output.slice(0, output.length - asked.name.length);
  const name = asked.logical ?? asked.name;
  const folders = new Set<string>();
  let manifest: string | undefined;
  let segments: string | undefined;
  const named = new Map<string, { readonly option: ArgvOption; readonly path: string }>();
  const renamed = asked.options.map((option) => {
    const file = FILE_NAME_OPTIONS.get(option.name.name);
    const [text] = option.values;
    if (file === undefined || text === undefined) return option;
    const below = placed(text, file, folder, root);
    if (typeof below !== 'string') {
      errors.push({ field: option.field, ...below });
      return option;
    }
    const from = file.relativeTo === 'output folder' ? posix.dirname(name) : '.';
    const path = posix.join(from, below);
    const into = posix.dirname(path);
    if (into !== '.' && !into.includes(VARIANT_MARK)) folders.add(`out/${into}`);
    if (file.isManifest === true) manifest = below;
    if (option.name.name === 'hls_segment_filename') segments = path;
    named.set(option.name.name, { option, path });
    return { ...option, values: [file.relativeTo === 'output folder' ? below : `out/${below}`] };
  });
  const base = segments === undefined ? undefined : baseUrl(name, segments, renamed, errors);
  const dated = DATED.has(muxer) && isOn('strftime', renamed);
  const warnings: Warning[] = [];
  checkNames(muxer, { name, options: renamed, named, dated, errors, warnings });
  return {
    logical: `out/${name}`,
    folder,
    ...(manifest === undefined ? {} : { manifest }),
    folders: [...folders],
    options: base === undefined ? renamed : [...renamed, base],
    dated,
    warnings,
  };
}

/** Those whose `strftime` is about names. */
const DATED: ReadonlySet<string> = new Set(['hls', 'segment', 'image2']);

const FILES: ReadonlyMap<string, (naming: OutputNaming) => readonly OutputFiles[]> = new Map([
  ['hls', hlsFiles],
  ['dash', dashFiles],
  ['segment', segmentFiles],
]);

/** Whether each file gets a name, and one of its own. */
function checkNames(muxer: string, naming: OutputNaming): void {
  const { name, dated, options, errors, warnings } = naming;
  if (dated && muxer !== 'hls') {
    const fault = checkDateName(name, { hls: false, hasFlag: () => false });
    if (fault !== undefined) errors.push({ field: '/output', ...fault });
    else if (lastValue('frames:v', options) !== '1') warnings.push(sameSecondWarning(muxer));
  }
  const files = FILES.get(muxer)?.(naming) ?? [];
  const same = findNameClash(files);
  if (same !== undefined) errors.push(same);
}

interface Asked {
  /** The end of the output's path that stands below `out/`. */
  readonly name: string;
  /** What ffmpeg is told, where that is another name. */
  readonly logical?: string;
  readonly options: readonly ArgvOption[];
}

/**
 * Several variants have a playlist each, told apart by `%v`. Where the output has none, it is the master playlist that
 * names them, as the output of many files is always its manifest.
 */
function withVariants(output: MediaPath, options: readonly ArgvOption[], errors: FieldError[]): Asked {
  const map = options.find(({ key }) => key === 'var_stream_map');
  const wrong = map && checkVariantNames(map.values[0] ?? '');
  if (map !== undefined && wrong !== undefined) errors.push({ field: map.field, ...wrong });
  const segments = output.split('/');
  const first = segments.findIndex((segment) => segment.includes(VARIANT_MARK));
  if (first >= 0) return { name: segments.slice(first).join('/'), options };
  const name = baseName(output);
  const variants = map === undefined ? 1 : variantNames(map.values[0] ?? '').length;
  if (variants < 2) return { name, options };
  const master = options.find(({ key }) => key === 'master_pl_name');
  if (master !== undefined && master.values[0] !== name)
    errors.push({
      field: master.field,
      code: 'TWO_MASTERS',
      message: `There are ${variants} variants, so the output "${name}" without "${VARIANT_MARK}" is the master playlist, and "master_pl_name" names another.`,
      fix: `Leave "master_pl_name" out, or put "${VARIANT_MARK}" into the output: "stream_${VARIANT_MARK}.m3u8".`,
    });
  const dot = name.lastIndexOf('.');
  const stem = dot <= 0 ? name : name.slice(0, dot);
  return {
    name,
    logical: `${stem}_${VARIANT_MARK}${name.slice(stem.length)}`,
    options: master === undefined ? [...options, serviceOption('master_pl_name', [name], true)] : options,
  };
}

/** The file's name below `out/`, or what is wrong with it. */
function placed(text: string, file: FileNameOption, folder: string, root: string): string | Omit<FieldError, 'field'> {
  const path = /[\\:]/.test(text) ? undefined : parseMediaPath(text, root);
  if (typeof path === 'string') {
    const fromRoot = file.relativeTo === 'working folder' && folder !== '' && path.startsWith(folder);
    const elsewhere = text.startsWith('/') && !fromRoot && folder !== '';
    const below = fromRoot ? path.slice(folder.length) : path;
    const into = posix.dirname(below);
    if (!elsewhere && (into === '.' || (file.allowsFolders && !/\$|%(?!v)/.test(into)))) return below;
  }
  return {
    code: 'BAD_FILE_NAME',
    message: `"${text.slice(0, 64)}" names no file in the folder of the output${file.allowsFolders ? ', or in a folder below it that is called without a pattern' : ''}.`,
    fix: file.allowsFolders
      ? 'Send a name such as "part_%03d.ts" or "parts/%03d.ts".'
      : 'Send a name without a folder.',
  };
}

/** ffmpeg names segments in a playlist without their folder. */
function baseUrl(
  playlist: string,
  segments: string,
  options: readonly ArgvOption[],
  errors: FieldError[],
): ArgvOption | undefined {
  const way = posix.relative(posix.dirname(playlist), posix.dirname(segments));
  if (way === '' || options.some(({ key }) => key === 'hls_base_url')) return undefined;
  if (!way.includes(VARIANT_MARK)) return serviceOption('hls_base_url', [`${way}/`], true);
  errors.push({
    field: '/parameters/hls_segment_filename',
    code: 'BAD_FILE_NAME',
    message:
      'The folders of the segments have names by variant, and those of the playlists have not, so no playlist could name its segments.',
    fix: `Put "${VARIANT_MARK}" into the file's name, or into the same folder of the output too: "v${VARIANT_MARK}/index.m3u8".`,
  });
  return undefined;
}
