import type { Canaries } from './canaries.ts';
import { FATAL, type HostileRow, withOptions } from './row.ts';

const leak = ({ folder }: Canaries): string => `${folder}/leak.mkv`;

/** Options that take no argument: to ffmpeg what follows is one more output. */
const SWITCHES =
  'y vn an sn dn shortest bitexact copyts start_at_zero ignore_unknown copy_unknown recast_media xerror copyinkf ' +
  'auto_conversion_filters noautoscale force_fps';

/** The same, and nobody's to set. */
const OWN_SWITCHES = 'stats nostats hide_banner report benchmark benchmark_all stdin dump hex debug_ts psnr qphist';

/** What all that follows comes to. */
const ONE_MORE = { spells: 'one more output behind the switch "y"' } as const;

/** 1. The shape of the command line: no value of an option is involved. */
export const ARGV_SHAPE: readonly HostileRow[] = [
  withOptions('reads', 'OPTION_NOT_ALLOWED', 'one more input by the key "i"', ({ movie }) => ({ i: movie })),
  ...SWITCHES.split(' ').map((name) =>
    withOptions(
      'writes',
      'TAKES_NO_VALUE',
      `one more output behind the switch "${name}"`,
      (bait) => ({ [name]: leak(bait) }),
      name === 'y' ? {} : ONE_MORE,
    ),
  ),
  ...OWN_SWITCHES.split(' ').map((name) =>
    withOptions(
      'writes',
      'OPTION_NOT_ALLOWED',
      `one more output behind "${name}"`,
      (bait) => ({ [name]: leak(bait) }),
      // It makes a file of its own.
      name === 'report' ? {} : ONE_MORE,
    ),
  ),
  withOptions(
    'writes',
    'TAKES_NO_VALUE',
    'one more output behind a switch with a specifier',
    (bait) => ({
      'copyinkf:v': leak(bait),
    }),
    ONE_MORE,
  ),
  withOptions(
    'writes',
    'BAD_SPECIFIER',
    'one more output behind a switch with a specifier that it does not take',
    (bait) => ({
      'vn:v': leak(bait),
    }),
    ONE_MORE,
  ),
  withOptions('writes', 'OPTION_NOT_ALLOWED', 'one more output behind "n"', (bait) => ({ n: leak(bait) }), {
    ...ONE_MORE,
    argv: (bait, input) => ['-i', input, '-t', '0.2', '-n', leak(bait), 'out/a.mkv'],
  }),
  withOptions(
    'writes',
    'TAKES_NO_VALUE',
    'one more output behind a switch put off',
    (bait) => ({
      noauto_conversion_filters: leak(bait),
    }),
    { ...ONE_MORE, ...FATAL },
  ),
  withOptions(
    'writes',
    'BAD_OPTION_NAME',
    'one more output behind the key "-"',
    (bait) => ({ '-': leak(bait) }),
    ONE_MORE,
  ),
  withOptions(
    'writes',
    'BAD_OPTION_NAME',
    'one more output behind an empty key',
    (bait) => ({
      f: 'matroska',
      '': leak(bait),
    }),
    ONE_MORE,
  ),
  withOptions('writes', 'BAD_OPTION_NAME', 'an option by two dashes', (bait) => ({ '-y': leak(bait) }), {
    inert: 'ffmpeg knows no option that begins with a dash',
  }),
  withOptions('writes', 'BAD_OPTION_NAME', 'an option behind a space', (bait) => ({ ' vn': leak(bait) }), {
    inert: 'ffmpeg knows no option that begins with a space',
  }),
  withOptions('writes', 'CONTROL_CHARACTER', 'a name with a NUL', (bait) => ({ 'vn\0': leak(bait) }), {
    inert: 'no argv can hold a NUL',
    argv: (bait) => ['-i', 'x', '-vn', leak(bait)],
  }),
  withOptions(
    'writes',
    'NOT_REPEATABLE',
    'one more output as a member of a list',
    (bait) => ({ vn: ['', leak(bait)] }),
    {
      ...ONE_MORE,
      argv: (bait, input) => ['-y', '-i', input, '-t', '0.2', '-vn', leak(bait), 'out/a.mkv'],
    },
  ),
  withOptions(
    'writes',
    'OPTION_NOT_ALLOWED',
    'a name that an encoder documents and ffmpeg takes itself',
    (bait) => ({
      'c:v': 'libx264',
      stats: leak(bait),
    }),
    ONE_MORE,
  ),
  withOptions('writes', 'OPTION_NOT_ALLOWED', 'the statistics of libx264 by ffmpeg’s own option', (bait) => ({
    'c:v': 'libx264',
    pass: '1',
    passlogfile: `${bait.folder}/log`,
  })),
  withOptions(
    'reads',
    'BAD_OPTION_NAME',
    'a value from a file, by a slash before the name',
    ({ text }) => ({ '/metadata': text }),
    {
      since: '7.1',
      inert: 'ffmpeg 7.1 has it',
    },
  ),
  withOptions(
    'reads',
    'BAD_OPTION_NAME',
    'a filtergraph from a file, by a slash before the name',
    ({ text }) => ({ '/filter:v': text }),
    {
      since: '7.1',
      inert: 'ffmpeg 7.1 has it',
    },
  ),
  withOptions(
    'reads',
    'UNKNOWN_FILTER_OPTION',
    'a filter’s option from a file, by a slash',
    ({ text }) => ({ vf: `scale=/w=${text}` }),
    {
      since: '7.1',
      inert: 'ffmpeg 7.1 has it',
    },
  ),
  withOptions(
    'writes',
    'UNKNOWN_OPTION',
    'the name of an object’s prototype',
    (bait) => JSON.parse(`{"__proto__":"${leak(bait)}"}`),
    {
      inert: 'ffmpeg has no such option',
    },
  ),
  {
    title: 'an output that is an option',
    effect: 'writes',
    request: () => ({ input: 'movie.mp4', output: 'out/-report', format: 'matroska', parameters: { t: '0.2' } }),
    inert: 'the service puts "file:out/" before every output',
    argv: (_bait, input) => ['-i', input, '-t', '0.2', '-f', 'matroska', '-report', 'out/a.mkv'],
  },
  {
    title: 'an output by a path that leaves the root',
    effect: 'writes',
    code: 'OUTSIDE_ROOT',
    request: () => ({ input: 'movie.mp4', output: '../host/untouched/leak.mkv' }),
    argv: ({ folder }, input) => ['-i', input, '-c', 'copy', `${folder}/leak.mkv`],
  },
  {
    title: 'an input by a path that leaves the root',
    effect: 'reads',
    code: 'OUTSIDE_ROOT',
    request: () => ({ input: '../host/private.mp4', output: 'out/a.mkv' }),
    argv: ({ movie }) => ['-y', '-i', movie, '-c', 'copy', 'out/a.mkv'],
  },
];
