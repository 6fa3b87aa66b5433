import { posix } from 'node:path';
import type { Warning } from '../../../domain/plan.ts';
import { isOn, lastValue } from '../request/last-value.ts';
import type { ArgvOption } from '../request/resolve-options.ts';
import { type NameCounter, type NamePattern, numberCounter, parseNamePattern } from './name-pattern.ts';
import { filesOfOption, type OutputFiles, type OutputNaming } from './output-file-set.ts';

/** As `ff_dash_fill_tmpl_params` has them: a width is one figure, and anything else stays as it is. */
const MARKS = /\$(?:(RepresentationID|ext)|(Bandwidth|Number|Time)(?:%0(\d)d)?)?\$/g;

/** Whether one of these marks stands in a name. */
const hasMark = (text: string, ...marks: readonly string[]): boolean =>
  [...text.matchAll(MARKS)].some(([, plain, counted = plain]) => counted !== undefined && marks.includes(counted));

/** The manifest, beginnings and segments of DASH, and the playlists that it can make for HLS. */
export function dashFiles(naming: OutputNaming): readonly OutputFiles[] {
  const { name, options, named } = naming;
  const stem = posix.basename(name, posix.extname(name));
  const single = named.has('single_file_name') || isOn('single_file', options);
  const files = [
    { what: 'the manifest', name, pattern: [...name] },
    ...(single
      ? streamFiles(naming, 'single_file_name', 'the files of the streams', `${stem}_$RepresentationID$.mp4`)
      : [
          ...streamFiles(naming, 'init_seg_name', 'the beginnings', `${stem}_$RepresentationID$.m4s`),
          ...streamFiles(naming, 'media_seg_name', 'the segments', `${stem}_$RepresentationID$_$Number$.m4s`),
        ]),
  ];
  if (!single) checkSegments(naming, `${stem}_$RepresentationID$_$Number$.m4s`);
  return isOn('hls_playlist', options) ? [...files, ...playlists(naming, stem)] : files;
}

/** By its option, or as ffmpeg calls it. */
function streamFiles(naming: OutputNaming, option: string, what: string, example: string): readonly OutputFiles[] {
  const found = naming.named.get(option);
  if (found === undefined) return DEFAULTS[option] === undefined ? [] : [plain(what, DEFAULTS[option])];
  if (!hasMark(found.path, 'RepresentationID')) checkStreams(naming, found, example);
  return filesOfOption(naming, option, what, { pattern: patternOf(found.path), example });
}

const DEFAULTS: Readonly<Record<string, string>> = {
  init_seg_name: 'init-stream$RepresentationID$.m4s',
  media_seg_name: 'chunk-stream$RepresentationID$-$Number%05d$.m4s',
};

const plain = (what: string, name: string): OutputFiles => ({ what, name, pattern: patternOf(name) });

const patternOf = (text: string): NamePattern =>
  parseNamePattern(text, MARKS, ([, plain, counted, width]) => filled(plain ?? counted, width));

function filled(mark: string | undefined, width = ''): NameCounter | string {
  if (mark === undefined) return '$';
  if (mark === 'ext') return 'm4s';
  // More than ten streams are rare, and a number of two figures seldom runs into what stands behind it.
  return { ...numberCounter(width, mark === 'Number' ? 1 : 0), short: mark === 'RepresentationID' };
}

function playlists(naming: OutputNaming, stem: string): readonly OutputFiles[] {
  const master = filesOfOption(naming, 'hls_master_name', 'the master playlist', { example: `${stem}_master.m3u8` });
  return [
    ...(master.length > 0 ? master : [plain('the master playlist', 'master.m3u8')]),
    {
      what: 'the playlists of the streams',
      name: 'media_0.m3u8',
      pattern: [...'media_', numberCounter('', 0), ...'.m3u8'],
    },
  ];
}

function checkSegments({ named, errors }: OutputNaming, example: string): void {
  const segments = named.get('media_seg_name');
  if (segments === undefined || hasMark(segments.path, 'Number', 'Time')) return;
  errors.push({
    field: segments.option.field,
    code: 'NEEDS_COUNTER',
    message: `There are many segments, and "${segments.path.slice(0, 64)}" is one name: each would be written over the one before.`,
    allowed: ['a name with $Number$ or $Time$'],
    fix: `Send "${example}".`,
  });
}

/** Each stream has files of its own; without its number in their names, one takes those of another. */
function checkStreams(
  { options, errors, warnings }: OutputNaming,
  { option, path }: { readonly option: ArgvOption; readonly path: string },
  example: string,
): void {
  const streams = streamsOf(options);
  if (streams === 'one') return;
  if (hasMark(path, 'Bandwidth')) {
    if (streams === 'several') warnings.push(sameBandwidth(option, example));
    return;
  }
  const said = {
    field: option.field,
    code: 'SAME_NAME',
    message: `Each stream has files of its own, and "${path.slice(0, 64)}" is one name for all of them.`,
    fix: `Send "${example}".`,
  };
  if (streams === 'several') errors.push({ ...said, allowed: ['a name with $RepresentationID$'] });
  else warnings.push(said);
}

const sameBandwidth = ({ field, key }: ArgvOption, example: string): Warning => ({
  field,
  code: 'SAME_NAME',
  message: `"${key}" tells streams apart by their bit rates alone. Those that are asked for one bit rate, or for none ("crf"), get one name, and one is written over the other.`,
  fix: `Send "${example}".`,
});

/** How many streams the output has, as far as the maps tell: what an input holds is not known yet. */
function streamsOf(options: readonly ArgvOption[]): 'one' | 'several' | 'unknown' {
  const maps = options.flatMap(({ key, values }) => (key === 'map' ? values : []));
  const sure = maps.filter((map) => !/^-|\?$/.test(map));
  if (sure.length > 1 && sure.length === maps.length) return 'several';
  if (maps.length === 1) return /^\d+$/.test(maps[0] ?? '') ? 'unknown' : 'one';
  const off = ['vn', 'an'].some(
    (key) => lastValue(key, options) !== undefined || options.some((one) => one.key === key),
  );
  return maps.length === 0 && off ? 'one' : 'unknown';
}
