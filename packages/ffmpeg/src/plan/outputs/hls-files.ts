import { posix } from 'node:path';
import { masterPath } from '@telecine/contract/domain/conversion.ts';
import { type HlsFlag, isFmp4, readHlsFlags } from '../../values/hls-values.ts';
import { readNumber } from '../../values/number.ts';
import { quoted } from '../../values/value-error.ts';
import { lastValue } from '../request/argv-option.ts';
import {
  COUNTERS,
  checkExpandedLength,
  containsCounter,
  filesOfOption,
  type NamePattern,
  numberCounter,
  type OutputFilePattern,
  type OutputNaming,
  parseNamePattern,
} from './name-pattern.ts';
import { checkDateName, datePattern, SAME_SECOND, SECOND_LEVEL_FLAGS } from './strftime-names.ts';
import { checkMarks, VARIANT_MARK, variantNames } from './variant-streams.ts';

/** The maximum number of variants whose names are compared. Real requests have fewer. */
const MAX_COMPARED_VARIANTS = 12;

const SECOND_LEVEL = Object.values(SECOND_LEVEL_FLAGS);

/** What the HLS options say about file names. */
interface HlsNames {
  readonly hasFlag: (flag: HlsFlag) => boolean;
  /** True if one file has all segments. Its name has no counter and no date. */
  readonly singleFile: boolean;
  /** True if segments are fragmented MP4, which needs an init segment. */
  readonly fmp4: boolean;
  readonly variants: readonly string[];
  readonly folder: string;
  readonly stem: string;
  /** The extension of segments, with its dot. */
  readonly ending: string;
  /** The name of the segments, by the option or by default. */
  readonly segments: string;
}

/** The files of an HLS output: playlists, segments, init segments and the master playlist. */
export function hlsFiles(naming: OutputNaming): readonly OutputFilePattern[] {
  const hls = readHlsNames(naming);
  const { variants } = hls;
  checkSegmentNames(naming, hls);
  const files = patternsOfVariants(naming, hls);
  const tooLong = checkExpandedLength(files, variants, naming.dated);
  if (tooLong !== undefined) {
    naming.errors.push(tooLong);
    return [];
  }
  const segmentPattern = segmentPatternOf(naming, hls);
  const compared = variants.slice(0, MAX_COMPARED_VARIANTS);
  const expanded = files.flatMap((file) =>
    (file.name.includes(VARIANT_MARK) ? compared : compared.slice(0, 1)).map((variant) => {
      const name = file.name.replaceAll(VARIANT_MARK, variant);
      return { ...file, name, pattern: file.what === 'the segments' ? segmentPattern(name) : [...name] };
    }),
  );
  return [...expanded, ...masterPlaylist(naming)];
}

/** The files of each variant, with `%v` in their names. */
function patternsOfVariants(naming: OutputNaming, hls: HlsNames): readonly OutputFilePattern[] {
  const { singleFile, fmp4, folder, variants, segments } = hls;
  const init = variants.length > 1 && !folder.includes(VARIANT_MARK) ? `init_${VARIANT_MARK}.mp4` : 'init.mp4';
  const sentSegments = filesOfOption(naming, 'hls_segment_filename', 'the segments');
  const sentInit = filesOfOption(naming, 'hls_fmp4_init_filename', 'the init segment');
  const defaultInit = { what: 'the init segment', name: posix.join(folder, init), pattern: [] };
  return [
    { what: 'the playlist', name: naming.name, pattern: [] },
    ...(sentSegments.length > 0 ? sentSegments : [{ what: 'the segments', name: segments, pattern: [] }]),
    ...(fmp4 && !singleFile ? (sentInit.length > 0 ? sentInit : [defaultInit]) : []),
  ];
}

function masterPlaylist(naming: OutputNaming): readonly OutputFilePattern[] {
  return filesOfOption(naming, 'master_pl_name', 'the master playlist').map((file) => {
    const name = masterPath(naming.name, posix.basename(file.name));
    return { ...file, name, pattern: [...name] };
  });
}

export function readHlsNames({ name, options, named, dated }: OutputNaming): HlsNames {
  const flags = readHlsFlags(lastValue('hls_flags', options) ?? '');
  const hasFlag = (flag: HlsFlag): boolean => flags.has(flag);
  const singleFile = hasFlag('single_file');
  const fmp4 = isFmp4(lastValue('hls_segment_type', options) ?? '');
  const ending = fmp4 ? '.m4s' : '.ts';
  const folder = posix.dirname(name);
  const stem = posix.basename(name, posix.extname(name));
  const map = lastValue('var_stream_map', options);
  const defaultCounter = singleFile ? '' : dated ? '-%s' : '%d';
  const variants = map === undefined ? ['0'] : variantNames(map);
  return {
    ...{ hasFlag, singleFile, fmp4, folder, stem, ending, variants },
    segments: named.get('hls_segment_filename')?.path ?? posix.join(folder, `${stem}${defaultCounter}${ending}`),
  };
}

/** Returns a function that parses the names of segments. In names with a date, only `hls_flags` can enable a counter. */
function segmentPatternOf({ options, dated }: OutputNaming, { singleFile }: HlsNames): (name: string) => NamePattern {
  if (singleFile) return (name) => [...name];
  if (dated) return datePattern;
  const source = lastValue('hls_start_number_source', options) ?? 'generic';
  const start = ['generic', '0'].includes(source) ? readNumber(lastValue('start_number', options) ?? '') : 0;
  return (name) =>
    // The HLS muxer does not expand `%%`.
    parseNamePattern(name, COUNTERS, ([mark, width]) =>
      width === undefined ? mark : numberCounter(width, start ?? 0),
    );
}

/** Checks that all segments get different names, also between variants. */
function checkSegmentNames(naming: OutputNaming, hls: HlsNames): void {
  const { named, errors, dated } = naming;
  const { singleFile, fmp4, hasFlag, variants } = hls;
  const segments = named.get('hls_segment_filename');
  if (dated && !singleFile) checkDatedSegments(naming, hls);
  else if (SECOND_LEVEL.some(hasFlag) && !dated) errors.push(NEEDS_STRFTIME);
  else if (!singleFile && !containsCounter(segmentPatternOf(naming, hls)(hls.segments)))
    errors.push({
      field: segments?.option.field ?? '/output',
      code: 'NEEDS_COUNTER',
      message: `${quoted(hls.segments)} has no counter, so all segments would have the same name.`,
      allowed: ['a name with a counter, such as %03d', 'one name, with "hls_flags": "single_file"'],
    });
  const init = fmp4 && !singleFile ? named.get('hls_fmp4_init_filename') : undefined;
  const initError = init && dated ? checkDateName(init.path, { hls: true, hasFlag: () => false }) : undefined;
  if (init !== undefined && initError !== undefined) errors.push({ field: init.option.field, ...initError });
  for (const file of [segments, init]) {
    if (file === undefined) continue;
    const { field, values } = file.option;
    const [sent = ''] = values;
    const wrong = checkMarks(sent);
    if (wrong !== undefined) errors.push({ field, ...wrong });
    if (variants.length < 2 || file.path.includes(VARIANT_MARK)) continue;
    errors.push({
      field,
      code: 'NEEDS_VARIANT',
      message: `${quoted(file.path)} has no "${VARIANT_MARK}", so the files of the ${variants.length} variants would overwrite each other.`,
    });
  }
}

function checkDatedSegments(naming: OutputNaming, hls: HlsNames): void {
  const { named, errors, warnings } = naming;
  const { hasFlag, segments } = hls;
  const error = checkDateName(segments, { hls: true, hasFlag });
  if (error !== undefined) {
    const defaultField = error.code === 'NEEDS_COUNTER' ? '/parameters/hls_flags' : '/output';
    errors.push({ field: named.get('hls_segment_filename')?.option.field ?? defaultField, ...error });
  } else if (!hasFlag('second_level_segment_index')) warnings.push(SAME_SECOND);
}

const NEEDS_STRFTIME = {
  field: '/parameters/hls_flags',
  code: 'NEEDS_STRFTIME',
  message:
    'The flags "second_level_segment_…" need "strftime": ffmpeg expands them after the date. "%03d" needs no flag.',
};
