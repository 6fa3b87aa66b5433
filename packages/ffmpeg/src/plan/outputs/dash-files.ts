import type { Warning } from '@telecine/contract/domain/plan.ts';
import { quoted } from '../../values/value-error.ts';
import { type ArgvOption, hasKey, isBooleanOn, mapsOf } from '../request/argv-option.ts';
import {
  filesOfOption,
  type NameCounter,
  type NamePattern,
  numberCounter,
  type OutputFilePattern,
  type OutputNaming,
  parseNamePattern,
} from './name-pattern.ts';

/** Matches the marks that `ff_dash_fill_tmpl_params` expands, such as `$Number%05d$`. Their width has one digit. */
export const DASH_MARKS = /\$(?:(RepresentationID|ext)|(Bandwidth|Number|Time)(?:%0(\d)d)?)?\$/g;

const hasMark = (text: string, ...marks: readonly string[]): boolean =>
  [...text.matchAll(DASH_MARKS)].some(([, plain, mark = plain]) => mark !== undefined && marks.includes(mark));

/** The files of a DASH output: the manifest, the segments, and the playlists for HLS if they are enabled. */
export function dashFiles(naming: OutputNaming): readonly OutputFilePattern[] {
  const { name, options, named } = naming;
  const single = named.has('single_file_name') || isBooleanOn('single_file', options);
  const files = [
    { what: 'the manifest', name, pattern: [...name] },
    ...(single
      ? streamFiles(naming, 'single_file_name', 'the files of the streams')
      : [
          ...streamFiles(naming, 'init_seg_name', 'the init segments'),
          ...streamFiles(naming, 'media_seg_name', 'the segments'),
        ]),
  ];
  if (!single) checkSegments(naming);
  return isBooleanOn('hls_playlist', options) ? [...files, ...playlists(naming)] : files;
}

/** The files that an option names, or the files that ffmpeg names itself if the client did not send the option. */
function streamFiles(naming: OutputNaming, option: string, what: string): readonly OutputFilePattern[] {
  const file = naming.named.get(option);
  const byDefault = DEFAULT_NAMES[option];
  if (file === undefined) return byDefault === undefined ? [] : [unnamedFiles(what, byDefault)];
  if (!hasMark(file.path, 'RepresentationID')) checkStreams(naming, file);
  return filesOfOption(naming, option, what, patternOf(file.path));
}

const DEFAULT_NAMES: Readonly<Record<string, string>> = {
  init_seg_name: 'init-stream$RepresentationID$.m4s',
  media_seg_name: 'chunk-stream$RepresentationID$-$Number%05d$.m4s',
};

const unnamedFiles = (what: string, name: string): OutputFilePattern => ({ what, name, pattern: patternOf(name) });

const patternOf = (text: string): NamePattern =>
  parseNamePattern(text, DASH_MARKS, ([, plain, mark, width]) => expand(plain ?? mark, width));

function expand(mark: string | undefined, width = ''): NameCounter | string {
  if (mark === undefined) return '$';
  if (mark === 'ext') return 'm4s';
  // The number of a stream counts as one digit: more than ten streams are rare, and `11` is seldom in the name of another file.
  return { ...numberCounter(width, mark === 'Number' ? 1 : 0), fixedWidth: mark === 'RepresentationID' };
}

function playlists(naming: OutputNaming): readonly OutputFilePattern[] {
  const master = filesOfOption(naming, 'hls_master_name', 'the master playlist');
  return [
    ...(master.length > 0 ? master : [unnamedFiles('the master playlist', 'master.m3u8')]),
    {
      what: 'the playlists of the streams',
      name: 'media_0.m3u8',
      pattern: [...'media_', numberCounter('', 0), ...'.m3u8'],
    },
  ];
}

function checkSegments({ named, errors }: OutputNaming): void {
  const segments = named.get('media_seg_name');
  if (segments === undefined || hasMark(segments.path, 'Number', 'Time')) return;
  errors.push({
    field: segments.option.field,
    code: 'NEEDS_COUNTER',
    message: `${quoted(segments.path)} has no counter, so each segment would overwrite the one before.`,
    allowed: ['a name with $Number$ or $Time$'],
  });
}

/** Rejects a name without the number of the stream, because the files of all streams would share this name. */
function checkStreams(
  { options, errors, warnings }: OutputNaming,
  { option, path }: { readonly option: ArgvOption; readonly path: string },
): void {
  const streams = streamsOf(options);
  if (streams === 'one') return;
  if (hasMark(path, 'Bandwidth')) {
    if (streams === 'several') warnings.push(sameBandwidth(option));
    return;
  }
  const clash = {
    field: option.field,
    code: 'SAME_NAME',
    message: `Each stream has its own files, but ${quoted(path)} is the same name for all streams. "$RepresentationID$" makes the names differ.`,
  };
  if (streams === 'several') errors.push(clash);
  else warnings.push(clash);
}

const sameBandwidth = ({ field, key }: ArgvOption): Warning => ({
  field,
  code: 'SAME_NAME',
  message: `"${key}" distinguishes streams by bit rate only. Streams with the same bit rate, or with none ("crf"), get the same name, and one overwrites the other. "$RepresentationID$" makes the names differ.`,
});

/** How many streams the output has, as far as the maps show it. The streams of the inputs are not known yet. */
function streamsOf(options: readonly ArgvOption[]): 'one' | 'several' | 'unknown' {
  const maps = mapsOf(options);
  const required = maps.filter((map) => !/^-|\?$/.test(map));
  if (required.length > 1 && required.length === maps.length) return 'several';
  if (maps.length === 1) return /^\d+$/.test(maps[0] ?? '') ? 'unknown' : 'one';
  return maps.length === 0 && hasKey(options, 'vn', 'an') ? 'one' : 'unknown';
}
