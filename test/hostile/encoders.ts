import type { Canaries } from './canaries.ts';
import { type Effect, FATAL, type HostileRow, withOptions } from './row.ts';

const KEY = 'OPTION_NOT_ALLOWED';
const UNUSED = 'this build does not act on it';

const x264 = (effect: Effect, code: string, title: string, text: (bait: Canaries) => string, option = 'x264-params') =>
  withOptions(effect, code, `libx264: ${title}`, (bait) => ({ 'c:v': 'libx264', [option]: text(bait) }));
const x265 = (
  effect: Effect,
  title: string,
  text: (bait: Canaries) => string,
  more: { readonly inert?: string; readonly fatal?: true } = {},
): HostileRow =>
  withOptions(effect, KEY, `libx265: ${title}`, (bait) => ({ 'c:v': 'libx265', 'x265-params': text(bait) }), more);

const OMX = 'the machine has no OpenMAX core to load';
const DEVICE = 'there is no such device in a container';

/** 5. Encoders, decoders and bitstream filters. */
export const ENCODERS: readonly HostileRow[] = [
  x264('writes', KEY, 'statistics into a file', ({ folder }) => `pass=1:stats=${folder}/leak`),
  x264(
    'writes',
    KEY,
    'statistics into a file, by the older option',
    ({ folder }) => `pass=1:stats=${folder}/leak`,
    'x264opts',
  ),
  x264('writes', KEY, 'statistics by a quoted key', ({ folder }) => `pass=1:s\\tats=${folder}/leak`),
  x264('writes', KEY, 'every picture into a file', ({ folder }) => `dump-yuv=${folder}/leak`),
  x264('writes', KEY, 'every picture into a file, by an underscore', ({ folder }) => `dump_yuv=${folder}/leak`),
  x264('reads', KEY, 'a matrix from a file', ({ text }) => `cqmfile=${text}`),
  withOptions(
    'writes',
    KEY,
    'libx264: a program of the graphics card',
    ({ folder }) => ({
      'c:v': 'libx264',
      'x264-params': `opencl=1:opencl-clbin=${folder}/leak`,
    }),
    { inert: DEVICE },
  ),
  x265('writes', 'statistics into a file', ({ folder }) => `pass=1:stats=${folder}/leak`),
  x265('writes', 'a table of pictures', ({ folder }) => `csv=${folder}/leak:csv-log-level=2`),
  x265('writes', 'its analysis saved', ({ folder }) => `analysis-save=${folder}/leak:analysis-save-reuse-level=5`),
  x265('reads', 'its analysis loaded', ({ text }) => `analysis-load=${text}:analysis-load-reuse-level=5`, FATAL),
  x265('reads', 'factors from a file', ({ text }) => `lambda-file=${text}`, FATAL),
  x265('reads', 'units from a file', ({ text }) => `nalu-file=${text}`, FATAL),
  x265('reads', 'light from a file', ({ text }) => `dhdr10-info=${text}`, { inert: UNUSED }),
  withOptions(
    'reads',
    'BAD_VALUE',
    'libx265: lists from a file',
    ({ text }) => ({
      'c:v': 'libx265',
      'x265-params': `scaling-list=${text}`,
    }),
    FATAL,
  ),
  withOptions('reads', KEY, 'libaom: grain from a file', ({ text }) => ({
    'c:v': 'libaom-av1',
    'cpu-used': '8',
    'aom-params': `film-grain-table=${text}`,
  })),
  withOptions(
    'writes',
    KEY,
    'libaom: partitions into a folder',
    ({ folder }) => ({
      'c:v': 'libaom-av1',
      'aom-params': `partition-info-path=${folder}`,
    }),
    { inert: UNUSED },
  ),
  withOptions(
    'writes',
    KEY,
    'libsvtav1: statistics into a file',
    ({ folder }) => ({
      'c:v': 'libsvtav1',
      'svtav1-params': `stats=${folder}/leak:pass=1`,
    }),
    { inert: UNUSED },
  ),
  withOptions(
    'loads',
    'OPTION_NOT_ALLOWED',
    'an encoder that loads a library',
    ({ library }) => ({
      'c:v': 'h264_omx',
      omx_libname: library,
    }),
    FATAL,
  ),
  withOptions(
    'loads',
    'OPTION_NOT_ALLOWED',
    'the library without the encoder',
    ({ library }) => ({ omx_libname: library }),
    {
      inert: OMX,
    },
  ),
  withOptions('loads', 'OPTION_NOT_ALLOWED', 'the folder of libraries', ({ folder }) => ({ omx_libprefix: folder }), {
    inert: OMX,
  }),
  ...['h264_v4l2m2m', 'h264_vaapi', 'h264_nvenc', 'h264_qsv', 'mjpeg_vaapi', 'hevc_v4l2m2m'].map((name) =>
    withOptions('reads', 'NEEDS_DEVICE', `a device by the encoder ${name}`, { 'c:v': name }, { inert: DEVICE }),
  ),
  ...['g', 'bf', 'qmin', 'trellis', 'b:v', 'maxrate', 'threads', 'flags', 'crf'].map((name) =>
    withOptions(
      'hangs',
      'BAD_VALUE',
      `a loop where "${name}" wants a number`,
      { 'c:v': 'libx264', [name]: 'while(1,1)' },
      {
        ...(name === 'g' ? { spells: 'a loop in enable' } : { like: 'the same of "g"' }),
      },
    ),
  ),
  withOptions(
    'hangs',
    'BAD_EXPRESSION',
    'a loop for key frames',
    {
      'c:v': 'mpeg4',
      force_key_frames: 'expr:while(1,1)',
    },
    { spells: 'a loop in enable' },
  ),
  withOptions(
    'hangs',
    'BAD_EXPRESSION',
    'a loop for key frames of one stream',
    {
      'c:v': 'mpeg4',
      'force_key_frames:v:0': 'expr:gte(t,root(while(1,1),9))',
    },
    { like: 'a loop for key frames' },
  ),
  withOptions(
    'hangs',
    'BAD_EXPRESSION',
    'a loop for rate control',
    { 'c:v': 'mpeg4', 'b:v': '100k', rc_eq: 'while(1,1)' },
    { like: 'a loop for key frames' },
  ),
  withOptions(
    'hangs',
    'BAD_EXPRESSION',
    'a loop for time stamps',
    { c: 'copy', 'bsf:v': 'setts=ts=while(1\\,1)' },
    { spells: 'a loop in enable' },
  ),
  withOptions(
    'hangs',
    'BAD_EXPRESSION',
    'a loop for noise',
    { c: 'copy', 'bsf:v': 'noise=amount=while(1\\,1)' },
    { like: 'a loop for time stamps' },
  ),
  withOptions(
    'hangs',
    'BAD_EXPRESSION',
    'a loop for time stamps, by the alias',
    { c: 'copy', vbsf: 'setts=while(1\\,1)' },
    { like: 'a loop for time stamps' },
  ),
  withOptions(
    'floods',
    'BAD_EXPRESSION',
    'time stamps that write into the log',
    {
      c: 'copy',
      'bsf:v': `setts=ts=${Array(200).fill('print(PTS)').join('+')}`,
    },
    { inert: 'so short a movie has few' },
  ),
  withOptions(
    'exhausts',
    'OUT_OF_RANGE',
    'two thousand threads',
    { 'c:v': 'libx264', 'x264-params': 'threads=2000' },
    {
      inert: 'the machine of the tests is to stay responsive',
    },
  ),
  withOptions('hangs', 'BAD_VALUE', 'a loop of the scaler', { sws_dither: 'while(1,1)' }, { like: 'the same of "g"' }),
  withOptions(
    'writes',
    KEY,
    'libx265: notes of a pass in the working folder',
    { 'c:v': 'libx265', pass: '2', 'x265-params': 'multi-pass-opt-analysis=1' },
    {
      argv: (_bait, input) => [
        ...['-y', '-i', input, '-an', '-c:v', 'libx265'],
        ...['-x265-params', 'multi-pass-opt-analysis=1:pass=1:stats=out/x.log', 'out/a.mkv'],
      ],
    },
  ),
  withOptions(
    'loads',
    KEY,
    'libx264: the driver of a graphics card, and its program in the working folder',
    { 'c:v': 'libx264', 'x264-params': 'opencl=1' },
    { inert: DEVICE },
  ),
];
