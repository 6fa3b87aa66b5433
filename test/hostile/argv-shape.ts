import type { Canaries } from './canaries.ts';
import { FATAL, type HostileRow, withOptions } from './row.ts';

const leak = ({ folder }: Canaries): string => `${folder}/leak.mkv`;

/** Options without an argument. ffmpeg takes a word after them as one more output. */
const SWITCHES =
  'y vn an sn dn shortest bitexact copyts start_at_zero ignore_unknown copy_unknown recast_media xerror copyinkf ' +
  'auto_conversion_filters noautoscale force_fps';

/** Options without an argument that are reserved for the service. */
const RESERVED_SWITCHES =
  'stats nostats hide_banner report benchmark benchmark_all stdin dump hex debug_ts psnr qphist';

const EXTRA_OUTPUT = { variantOf: 'an extra output after the switch "y"' } as const;

/** 1. The shape of the command line: options without values, odd names, paths. */
export const ARGV_SHAPE: readonly HostileRow[] = [
  withOptions('reads', 'OPTION_NOT_ALLOWED', 'an extra input by the key "i"', ({ movie }) => ({ i: movie })),
  ...SWITCHES.split(' ').map((name) =>
    withOptions(
      'writes',
      'TAKES_NO_VALUE',
      `an extra output after the switch "${name}"`,
      (canaries) => ({ [name]: leak(canaries) }),
      name === 'y' ? {} : EXTRA_OUTPUT,
    ),
  ),
  ...RESERVED_SWITCHES.split(' ').map((name) =>
    withOptions(
      'writes',
      'OPTION_NOT_ALLOWED',
      `an extra output after the reserved switch "${name}"`,
      (canaries) => ({ [name]: leak(canaries) }),
      // report writes a file of its own.
      name === 'report' ? {} : EXTRA_OUTPUT,
    ),
  ),
  withOptions(
    'writes',
    'TAKES_NO_VALUE',
    'an extra output after a switch with a specifier',
    (canaries) => ({
      'copyinkf:v': leak(canaries),
    }),
    EXTRA_OUTPUT,
  ),
  withOptions(
    'writes',
    'BAD_SPECIFIER',
    'an extra output after a switch with a specifier that it does not accept',
    (canaries) => ({
      'vn:v': leak(canaries),
    }),
    EXTRA_OUTPUT,
  ),
  withOptions('writes', 'OPTION_NOT_ALLOWED', 'an extra output after "n"', (canaries) => ({ n: leak(canaries) }), {
    ...EXTRA_OUTPUT,
    argv: (canaries, input) => ['-i', input, '-t', '0.2', '-n', leak(canaries), 'out/a.mkv'],
  }),
  withOptions(
    'writes',
    'TAKES_NO_VALUE',
    'an extra output after a negated switch',
    (canaries) => ({
      noauto_conversion_filters: leak(canaries),
    }),
    { ...EXTRA_OUTPUT, ...FATAL },
  ),
  withOptions(
    'writes',
    'BAD_OPTION_NAME',
    'an extra output after the key "-"',
    (canaries) => ({ '-': leak(canaries) }),
    EXTRA_OUTPUT,
  ),
  withOptions(
    'writes',
    'BAD_OPTION_NAME',
    'an extra output after an empty key',
    (canaries) => ({
      f: 'matroska',
      '': leak(canaries),
    }),
    EXTRA_OUTPUT,
  ),
  withOptions('writes', 'BAD_OPTION_NAME', 'an option with two dashes', (canaries) => ({ '-y': leak(canaries) }), {
    noEffectReason: 'ffmpeg knows no option that begins with a dash',
  }),
  withOptions(
    'writes',
    'BAD_OPTION_NAME',
    'an option name that begins with a space',
    (canaries) => ({ ' vn': leak(canaries) }),
    {
      noEffectReason: 'ffmpeg knows no option that begins with a space',
    },
  ),
  withOptions('writes', 'CONTROL_CHARACTER', 'an option name with a NUL', (canaries) => ({ 'vn\0': leak(canaries) }), {
    noEffectReason: 'no argv can hold a NUL',
    argv: (canaries) => ['-i', 'x', '-vn', leak(canaries)],
  }),
  withOptions(
    'writes',
    'NOT_REPEATABLE',
    'an extra output in a list of values',
    (canaries) => ({ vn: ['', leak(canaries)] }),
    {
      ...EXTRA_OUTPUT,
      argv: (canaries, input) => ['-y', '-i', input, '-t', '0.2', '-vn', leak(canaries), 'out/a.mkv'],
    },
  ),
  withOptions(
    'writes',
    'OPTION_NOT_ALLOWED',
    'an option of libx264 that ffmpeg treats as its own switch',
    (canaries) => ({
      'c:v': 'libx264',
      stats: leak(canaries),
    }),
    EXTRA_OUTPUT,
  ),
  withOptions('writes', 'OPTION_NOT_ALLOWED', 'libx264 statistics in any file, by passlogfile', (canaries) => ({
    'c:v': 'libx264',
    pass: '1',
    passlogfile: `${canaries.folder}/log`,
  })),
  withOptions(
    'reads',
    'BAD_OPTION_NAME',
    'an option value from a file, by a slash before the name',
    ({ text }) => ({ '/metadata': text }),
    {
      since: '7.1',
      noEffectReason: 'the feature is new in ffmpeg 7.1',
    },
  ),
  withOptions(
    'reads',
    'BAD_OPTION_NAME',
    'a filtergraph from a file, by a slash before the name',
    ({ text }) => ({ '/filter:v': text }),
    {
      since: '7.1',
      noEffectReason: 'the feature is new in ffmpeg 7.1',
    },
  ),
  withOptions(
    'reads',
    'UNKNOWN_FILTER_OPTION',
    'a filter option from a file, by a slash before the name',
    ({ text }) => ({ vf: `scale=/w=${text}` }),
    {
      since: '7.1',
      noEffectReason: 'the feature is new in ffmpeg 7.1',
    },
  ),
  withOptions(
    'writes',
    'UNKNOWN_OPTION',
    'an option named __proto__',
    (canaries) => JSON.parse(`{"__proto__":"${leak(canaries)}"}`),
    {
      noEffectReason: 'ffmpeg has no such option',
    },
  ),
  {
    title: 'an output path that looks like an option',
    effect: 'writes',
    request: () => ({ input: 'movie.mp4', output: 'out/-report', format: 'matroska', parameters: { t: '0.2' } }),
    noEffectReason: 'the service puts "file:out/" before every output',
    argv: (_canaries, input) => ['-i', input, '-t', '0.2', '-f', 'matroska', '-report', 'out/a.mkv'],
  },
  {
    title: 'an output path that leaves the media root',
    effect: 'writes',
    code: 'OUTSIDE_ROOT',
    request: () => ({ input: 'movie.mp4', output: '../host/untouched/leak.mkv' }),
    argv: ({ folder }, input) => ['-i', input, '-c', 'copy', `${folder}/leak.mkv`],
  },
  {
    title: 'an input path that leaves the media root',
    effect: 'reads',
    code: 'OUTSIDE_ROOT',
    request: () => ({ input: '../host/private.mp4', output: 'out/a.mkv' }),
    argv: ({ movie }) => ['-y', '-i', movie, '-c', 'copy', 'out/a.mkv'],
  },
];
