import { posix } from 'node:path';
import { readNumber } from '../../values/number.ts';
import { lastValue } from '../request/last-value.ts';
import { checkExpandedLength } from './expanded-name-length.ts';
import { containsCounter, type NamePattern, numberCounter, parseNamePattern } from './name-pattern.ts';
import { filesOfOption, type OutputFiles, type OutputNaming } from './output-file-set.ts';
import { checkDateName, datePattern, sameSecondWarning } from './strftime-names.ts';
import { VARIANT_MARK, variantNames } from './variant-names.ts';

/** Variants whose names are compared; real ladders have fewer. */
const MOST_VARIANTS = 12;

/** To ffmpeg `%%` is no mark here, and stays as it is. */
const COUNTERS = /%(?:%|(\d*)d)/g;

/** What the options of HLS say about names. */
interface Hls {
  readonly hasFlag: (flag: string) => boolean;
  /** One file of all segments: nothing is counted, or filled in by the date. */
  readonly single: boolean;
  readonly fragments: boolean;
  readonly variants: readonly string[];
  /** Of the playlists. */
  readonly folder: string;
  readonly stem: string;
  /** The names of segments, whether sent or not. */
  readonly segments: string;
  readonly example: string;
}

/** The playlists, segments and beginnings of HLS, and the playlist of all variants. */
export function hlsFiles(naming: OutputNaming): readonly OutputFiles[] {
  const hls = readHls(naming);
  const { single, fragments, folder, stem, variants } = hls;
  checkSegments(naming, hls);
  const pattern = patternOf(naming, hls);
  const several = variants.length > 1;
  const begin = several && !folder.includes(VARIANT_MARK) ? `init_${VARIANT_MARK}.mp4` : 'init.mp4';
  const begins = filesOfOption(naming, 'hls_fmp4_init_filename', 'the beginning', { example: `${stem}_${begin}` });
  const sent = filesOfOption(naming, 'hls_segment_filename', 'the segments', { example: hls.example });
  const files: readonly OutputFiles[] = [
    { what: 'the playlist', name: naming.name, pattern: [] },
    ...(sent.length > 0 ? sent : [{ what: 'the segments', name: hls.segments, pattern: [] }]),
    ...(fragments && !single
      ? begins.length > 0
        ? begins
        : [{ what: 'the beginning', name: posix.join(folder, begin), pattern: [] }]
      : []),
  ];
  const tooLong = checkExpandedLength(files, variants);
  if (tooLong !== undefined) {
    naming.errors.push(tooLong);
    return [];
  }
  const shown = variants.slice(0, MOST_VARIANTS);
  const all = files.flatMap((file) =>
    (file.name.includes(VARIANT_MARK) ? shown : shown.slice(0, 1)).map((variant) => {
      const name = file.name.replaceAll(VARIANT_MARK, variant);
      return { ...file, name, pattern: file.what === 'the segments' ? pattern(name) : [...name] };
    }),
  );
  return [...all, ...master(naming, hls)];
}

/** Where the variants have folders, the playlist of all lies above them. */
function master(naming: OutputNaming, { folder, stem }: Hls): readonly OutputFiles[] {
  const example = `${stem.replaceAll(VARIANT_MARK, '')}_master.m3u8`;
  return filesOfOption(naming, 'master_pl_name', 'the master playlist', { example }).map((file) => {
    const name = folder.includes(VARIANT_MARK)
      ? posix.join(posix.dirname(folder), posix.basename(file.name))
      : file.name;
    return { ...file, name, pattern: [...name] };
  });
}

function readHls({ name, options, named, dated }: OutputNaming): Hls {
  const flags = lastValue('hls_flags', options) ?? '';
  const hasFlag = (flag: string): boolean => new RegExp(`(?:^|\\+)${flag}(?!\\w)`).test(flags);
  const single = hasFlag('single_file');
  const fragments = ['fmp4', '1'].includes(lastValue('hls_segment_type', options) ?? '');
  const ending = fragments ? '.m4s' : '.ts';
  const folder = posix.dirname(name);
  const stem = posix.basename(name, posix.extname(name));
  const map = lastValue('var_stream_map', options);
  const counted = single ? '' : dated ? '-%s' : '%d';
  const variants = map === undefined ? ['0'] : variantNames(map);
  return {
    ...{ hasFlag, single, fragments, folder, stem, variants },
    segments: named.get('hls_segment_filename')?.path ?? posix.join(folder, `${stem}${counted}${ending}`),
    example: `${stem}${variants.length > 1 && !stem.includes(VARIANT_MARK) ? `_${VARIANT_MARK}` : ''}_%03d${ending}`,
  };
}

/** What reads the names of segments; those of date are counted behind it where `hls_flags` says so. */
function patternOf({ options, dated }: OutputNaming, { single }: Hls): (name: string) => NamePattern {
  if (single) return (name) => [...name];
  if (dated) return datePattern;
  const source = lastValue('hls_start_number_source', options) ?? 'generic';
  const from = ['generic', '0'].includes(source) ? readNumber(lastValue('start_number', options) ?? '') : 0;
  return (name) =>
    parseNamePattern(name, COUNTERS, ([mark, width]) => (width === undefined ? mark : numberCounter(width, from ?? 0)));
}

/** Whether the segments can be told apart, and those of one variant from those of another. */
function checkSegments(naming: OutputNaming, hls: Hls): void {
  const { named, errors, warnings, dated } = naming;
  const { single, fragments, hasFlag, segments, variants, example } = hls;
  const sent = named.get('hls_segment_filename')?.option;
  if (dated && !single) {
    const fault = checkDateName(segments, { hls: true, hasFlag });
    const unsent = fault?.code === 'NEEDS_COUNTER' ? '/parameters/hls_flags' : '/output';
    if (fault !== undefined) errors.push({ field: sent?.field ?? unsent, ...fault });
    else if (!hasFlag('second_level_segment_index')) warnings.push(sameSecondWarning('hls'));
  } else if (hasFlag('second_level_segment_(?:index|size|duration)') && !dated)
    errors.push({
      field: '/parameters/hls_flags',
      code: 'NEEDS_STRFTIME',
      message: 'ffmpeg puts the second level of a name behind its date, so these flags need "strftime".',
      fix: 'Send "strftime": "1" too, or leave the flags out: "%03d" counts without them.',
    });
  else if (!single && !containsCounter(patternOf(naming, hls)(segments)))
    errors.push({
      field: sent?.field ?? '/output',
      code: 'NEEDS_COUNTER',
      message: `There are many segments, and "${segments.slice(0, 64)}" is one name.`,
      allowed: ['a name with a counter, such as %03d', 'one name, with "hls_flags": "single_file"'],
      fix: sent === undefined ? 'Give the output a name without "%" before its ending.' : `Send "${example}".`,
    });
  const begin = fragments && !single ? named.get('hls_fmp4_init_filename') : undefined;
  const fault = begin && dated ? checkDateName(begin.path, { hls: true, hasFlag: () => false }) : undefined;
  if (begin !== undefined && fault !== undefined) errors.push({ field: begin.option.field, ...fault });
  if (variants.length < 2) return;
  for (const { option, path } of [named.get('hls_segment_filename'), begin].flatMap((one) => one ?? []))
    if (!path.includes(VARIANT_MARK))
      errors.push({
        field: option.field,
        code: 'NEEDS_VARIANT',
        message: `There are ${variants.length} variants, whose files would be written over one another.`,
        fix: `Put "${VARIANT_MARK}" into it, such as "${option === sent ? example : `init_${VARIANT_MARK}.mp4`}".`,
      });
}
