import type { Canaries } from './canaries.ts';
import { type Effect, FATAL, type HostileRow, withOptions } from './row.ts';

const OPTION = 'OPTION_NOT_ALLOWED';
const UNUSED = 'this build ignores it';

const x264 = (
  effect: Effect,
  code: string,
  title: string,
  text: (canaries: Canaries) => string,
  option = 'x264-params',
) => withOptions(effect, code, `libx264: ${title}`, (canaries) => ({ 'c:v': 'libx264', [option]: text(canaries) }));
const x265 = (
  effect: Effect,
  title: string,
  text: (canaries: Canaries) => string,
  more: { readonly noEffectReason?: string; readonly fatal?: true } = {},
): HostileRow =>
  withOptions(
    effect,
    OPTION,
    `libx265: ${title}`,
    (canaries) => ({ 'c:v': 'libx265', 'x265-params': text(canaries) }),
    more,
  );

const OMX = 'the machine has no OpenMAX core';
const DEVICE = 'the test machine has no such device';

/** 5. Encoders, decoders and bitstream filters. */
export const ENCODERS: readonly HostileRow[] = [
  x264('writes', OPTION, 'statistics into a file', ({ folder }) => `pass=1:stats=${folder}/leak`),
  x264(
    'writes',
    OPTION,
    'statistics into a file, by the older option',
    ({ folder }) => `pass=1:stats=${folder}/leak`,
    'x264opts',
  ),
  x264('writes', OPTION, 'statistics by a quoted key', ({ folder }) => `pass=1:s\\tats=${folder}/leak`),
  x264('writes', OPTION, 'every frame into a file', ({ folder }) => `dump-yuv=${folder}/leak`),
  x264('writes', OPTION, 'every frame into a file, by an underscore', ({ folder }) => `dump_yuv=${folder}/leak`),
  x264('reads', OPTION, 'a quantizer matrix from a file', ({ text }) => `cqmfile=${text}`),
  withOptions(
    'writes',
    OPTION,
    'libx264: a compiled OpenCL program into a file',
    ({ folder }) => ({
      'c:v': 'libx264',
      'x264-params': `opencl=1:opencl-clbin=${folder}/leak`,
    }),
    { noEffectReason: DEVICE },
  ),
  x265('writes', 'statistics into a file', ({ folder }) => `pass=1:stats=${folder}/leak`),
  x265('writes', 'frame statistics as CSV', ({ folder }) => `csv=${folder}/leak:csv-log-level=2`),
  x265('writes', 'analysis into a file', ({ folder }) => `analysis-save=${folder}/leak:analysis-save-reuse-level=5`),
  x265('reads', 'analysis from a file', ({ text }) => `analysis-load=${text}:analysis-load-reuse-level=5`, FATAL),
  x265('reads', 'lambda factors from a file', ({ text }) => `lambda-file=${text}`, FATAL),
  x265('reads', 'NAL units from a file', ({ text }) => `nalu-file=${text}`, FATAL),
  x265('reads', 'HDR10+ metadata from a file', ({ text }) => `dhdr10-info=${text}`, { noEffectReason: UNUSED }),
  withOptions(
    'reads',
    'BAD_VALUE',
    'libx265: scaling lists from a file',
    ({ text }) => ({
      'c:v': 'libx265',
      'x265-params': `scaling-list=${text}`,
    }),
    FATAL,
  ),
  withOptions('reads', OPTION, 'libaom: film grain from a file', ({ text }) => ({
    'c:v': 'libaom-av1',
    'cpu-used': '8',
    'aom-params': `film-grain-table=${text}`,
  })),
  withOptions(
    'writes',
    OPTION,
    'libaom: partition data into a folder',
    ({ folder }) => ({
      'c:v': 'libaom-av1',
      'aom-params': `partition-info-path=${folder}`,
    }),
    { noEffectReason: UNUSED },
  ),
  withOptions(
    'writes',
    OPTION,
    'libsvtav1: statistics into a file',
    ({ folder }) => ({
      'c:v': 'libsvtav1',
      'svtav1-params': `stats=${folder}/leak:pass=1`,
    }),
    { noEffectReason: UNUSED },
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
    'a library to load, without its encoder',
    ({ library }) => ({ omx_libname: library }),
    {
      noEffectReason: OMX,
    },
  ),
  withOptions(
    'loads',
    'OPTION_NOT_ALLOWED',
    'a folder of libraries to load',
    ({ folder }) => ({ omx_libprefix: folder }),
    {
      noEffectReason: OMX,
    },
  ),
  ...['h264_v4l2m2m', 'h264_vaapi', 'h264_nvenc', 'h264_qsv', 'mjpeg_vaapi', 'hevc_v4l2m2m'].map((name) =>
    withOptions(
      'reads',
      'NEEDS_DEVICE',
      `a hardware device by the encoder ${name}`,
      { 'c:v': name },
      { noEffectReason: DEVICE },
    ),
  ),
  ...['g', 'bf', 'qmin', 'trellis', 'b:v', 'maxrate', 'threads', 'flags', 'crf'].map((name) =>
    withOptions(
      'hangs',
      'BAD_VALUE',
      `an endless loop as the value of "${name}"`,
      { 'c:v': 'libx264', [name]: 'while(1,1)' },
      {
        ...(name === 'g'
          ? { variantOf: 'an endless loop in enable' }
          : { slowVariantOf: 'an endless loop as the value of "g"' }),
      },
    ),
  ),
  withOptions(
    'hangs',
    'BAD_EXPRESSION',
    'an endless loop in force_key_frames',
    {
      'c:v': 'mpeg4',
      force_key_frames: 'expr:while(1,1)',
    },
    { variantOf: 'an endless loop in enable' },
  ),
  withOptions(
    'hangs',
    'BAD_EXPRESSION',
    'an endless loop in force_key_frames, for one stream',
    {
      'c:v': 'mpeg4',
      'force_key_frames:v:0': 'expr:gte(t,root(while(1,1),9))',
    },
    { slowVariantOf: 'an endless loop in force_key_frames' },
  ),
  withOptions(
    'hangs',
    'BAD_EXPRESSION',
    'an endless loop in rc_eq',
    { 'c:v': 'mpeg4', 'b:v': '100k', rc_eq: 'while(1,1)' },
    { slowVariantOf: 'an endless loop in force_key_frames' },
  ),
  withOptions(
    'hangs',
    'BAD_EXPRESSION',
    'an endless loop in setts',
    { c: 'copy', 'bsf:v': 'setts=ts=while(1\\,1)' },
    { variantOf: 'an endless loop in enable' },
  ),
  withOptions(
    'hangs',
    'BAD_EXPRESSION',
    'an endless loop in the bitstream filter noise',
    { c: 'copy', 'bsf:v': 'noise=amount=while(1\\,1)' },
    { slowVariantOf: 'an endless loop in setts' },
  ),
  withOptions(
    'hangs',
    'BAD_EXPRESSION',
    'an endless loop in setts, by the alias vbsf',
    { c: 'copy', vbsf: 'setts=while(1\\,1)' },
    { slowVariantOf: 'an endless loop in setts' },
  ),
  withOptions(
    'floods',
    'BAD_EXPRESSION',
    'timestamps that write to the log',
    {
      c: 'copy',
      'bsf:v': `setts=ts=${Array(200).fill('print(PTS)').join('+')}`,
    },
    { noEffectReason: 'the movie is too short for many packets' },
  ),
  withOptions(
    'exhausts',
    'OUT_OF_RANGE',
    'two thousand threads',
    { 'c:v': 'libx264', 'x264-params': 'threads=2000' },
    {
      noEffectReason: 'it would slow down the test machine',
    },
  ),
  withOptions(
    'hangs',
    'BAD_VALUE',
    'an endless loop as a scaler option',
    { sws_dither: 'while(1,1)' },
    { slowVariantOf: 'an endless loop as the value of "g"' },
  ),
  withOptions(
    'writes',
    OPTION,
    'libx265: pass analysis in the working folder',
    { 'c:v': 'libx265', pass: '2', 'x265-params': 'multi-pass-opt-analysis=1' },
    {
      argv: (_canaries, input) => [
        ...['-y', '-i', input, '-an', '-c:v', 'libx265'],
        ...['-x265-params', 'multi-pass-opt-analysis=1:pass=1:stats=out/x.log', 'out/a.mkv'],
      ],
    },
  ),
  withOptions(
    'loads',
    OPTION,
    'libx264: an OpenCL driver, and its program in the working folder',
    { 'c:v': 'libx264', 'x264-params': 'opencl=1' },
    { noEffectReason: DEVICE },
  ),
];
