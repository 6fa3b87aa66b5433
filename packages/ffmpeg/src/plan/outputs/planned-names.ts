import { posix } from 'node:path';
import { masterPath } from '@telecine/contract/domain/conversion.ts';
import type { PlannedName, PlannedNamePart } from '@telecine/contract/domain/planned-names.ts';
import { isBooleanOn, lastValue } from '../request/argv-option.ts';
import { DASH_MARKS } from './dash-files.ts';
import { readHlsNames } from './hls-files.ts';
import type { OutputNaming } from './name-pattern.ts';
import { DATE_MARKS } from './strftime-names.ts';
import { VARIANT_MARK } from './variant-streams.ts';

/** All names below `out/` that ffmpeg can write for an output, some only for some inputs (subtitles). Nothing else is published. */
export const plannedNames = (muxer: string, naming: OutputNaming): readonly PlannedName[] =>
  NAMES_OF_MUXERS.get(muxer)?.(naming) ?? [[naming.name]];

const NUMBER = { any: 'number' } as const;
const DATE = { any: 'date' } as const;

const NAMES_OF_MUXERS: ReadonlyMap<string, (naming: OutputNaming) => readonly PlannedName[]> = new Map([
  ['hls', hlsNames],
  ['dash', dashNames],
  ['segment', segmentNames],
  ['image2', imageNames],
]);

/** Matches the counters that `av_get_frame_filename` expands, and `%%`, which becomes a percent sign. */
const COUNTERS = /%%|%\d*d/g;
const readCounter = (mark: string): PlannedNamePart => (mark === '%%' ? '%' : NUMBER);

/** Reads a part of a date, or an HLS counter in a name with a date (`%%03d`). */
const readDate = (mark: string): PlannedNamePart => (mark.startsWith('%%') ? NUMBER : DATE);

const VARIANTS = /%v/g;
/** Matches the marks in the names of HLS segments. The HLS muxer does not expand `%%`. */
const VARIANTS_AND_COUNTERS = /%v|%%|%\d*d/g;

/** Splits a name at its marks. Numbers in a row, or parts of a date in a row, become one part: `%Y%m%d` is one date. */
function split(text: string, marks: RegExp, read: (mark: string) => PlannedNamePart): PlannedName {
  const parts: PlannedNamePart[] = [];
  const add = (part: PlannedNamePart): void => {
    const continuesLast = part === parts.at(-1) && typeof part !== 'string' && 'any' in part;
    if (part !== '' && !continuesLast) parts.push(part);
  };
  let at = 0;
  for (const { 0: mark, index } of text.matchAll(marks)) {
    add(text.slice(at, index));
    add(read(mark));
    at = index + mark.length;
  }
  add(text.slice(at));
  return parts;
}

function hlsNames(naming: OutputNaming): readonly PlannedName[] {
  const { name, named, dated, options } = naming;
  const { singleFile, fmp4, folder, stem, ending, segments, variants } = readHlsNames(naming);
  const variant: PlannedNamePart = { oneOf: variants };
  const plain = (text: string): PlannedName => split(text, VARIANTS, () => variant);
  const numbered = (text: string): PlannedName =>
    split(text, VARIANTS_AND_COUNTERS, (mark) => (mark === VARIANT_MARK ? variant : mark === '%%' ? mark : NUMBER));
  const byDate = (text: string): PlannedName =>
    split(text, DATE_MARKS, (mark) => (mark === VARIANT_MARK ? variant : readDate(mark)));
  const stemPath = posix.join(folder, stem);
  const init = named.get('hls_fmp4_init_filename')?.path;
  const master = named.get('master_pl_name')?.path;
  const segmentNames = singleFile
    ? // By default, the name of a single file keeps the mark of the date.
      [plain(segments), ...(dated ? [plain(`${stemPath}-%s${ending}`)] : [])]
    : // With a given segment size, ffmpeg expands no date in names.
      [dated && lastValue('hls_segment_size', options) === undefined ? byDate(segments) : numbered(segments)];
  const initNames =
    init === undefined
      ? // With several variants, their names or folders have the number of the variant.
        [plain(posix.join(folder, 'init.mp4')), [...plain(posix.join(folder, 'init_')), NUMBER, '.mp4']]
      : [dated ? byDate(init) : plain(init)];
  return [
    plain(name),
    ...segmentNames,
    ...(fmp4 && !singleFile ? initNames : []),
    plain(`${stemPath}_vtt.m3u8`),
    singleFile ? plain(`${stemPath}.vtt`) : [...plain(stemPath), NUMBER, '.vtt'],
    ...(master === undefined ? [] : [plain(masterPath(name, posix.basename(master)))]),
  ];
}

/** The extensions of DASH segments and, with `single_file`, of the file of each stream. */
const DASH_EXTENSION = { oneOf: ['m4s', 'mp4', 'webm'] } as const;

function dashNames({ name, named, options }: OutputNaming): readonly PlannedName[] {
  const stem = posix.basename(name, posix.extname(name));
  const namesOf = (option: string, byDefault: string): PlannedName =>
    split(named.get(option)?.path ?? byDefault, DASH_MARKS, (mark) =>
      mark === '$$' ? '$' : mark === '$ext$' ? DASH_EXTENSION : NUMBER,
    );
  const single = named.has('single_file_name') || isBooleanOn('single_file', options);
  const streams = single
    ? [
        named.has('single_file_name')
          ? namesOf('single_file_name', '')
          : [`${stem}-stream`, NUMBER, '.', DASH_EXTENSION],
      ]
    : [
        namesOf('init_seg_name', 'init-stream$RepresentationID$.$ext$'),
        namesOf('media_seg_name', 'chunk-stream$RepresentationID$-$Number%05d$.$ext$'),
      ];
  const playlists = [[named.get('hls_master_name')?.path ?? 'master.m3u8'], ['media_', NUMBER, '.m3u8']];
  return [[name], ...streams, ...(isBooleanOn('hls_playlist', options) ? playlists : [])];
}

function segmentNames({ name, named, dated }: OutputNaming): readonly PlannedName[] {
  const list = named.get('segment_list');
  return [
    dated ? split(name, DATE_MARKS, readDate) : split(name, COUNTERS, readCounter),
    ...(list === undefined ? [] : [[list.path]]),
  ];
}

/** Matches the extension of raw images, whose planes image2 writes to separate files. */
const RAW_PLANES = /\.y$/i;

function imageNames({ name, dated }: OutputNaming): readonly PlannedName[] {
  const names: readonly PlannedName[] = [
    [name],
    dated ? split(name, DATE_MARKS, readDate) : split(name, COUNTERS, readCounter),
  ];
  if (!RAW_PLANES.test(name)) return names;
  const withoutPlane = (parts: PlannedName): PlannedName =>
    parts.map((part, index) => (index === parts.length - 1 && typeof part === 'string' ? part.slice(0, -1) : part));
  return [...names, ...names.map((parts): PlannedName => [...withoutPlane(parts), { oneOf: ['U', 'V', 'A', 'x'] }])];
}
