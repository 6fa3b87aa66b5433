import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import type { Parameters } from '@telecine/contract/domain/conversion.ts';
import { describe, expect, test } from 'vitest';
import { mediaRoot } from '../../../../../test/support/media-root.ts';
import {
  CATALOGUE,
  errorCodesOf,
  errorsOf,
  MEDIA_ROOT,
  planRequest,
  requestWith,
  validPlan,
} from '../../../../../test/support/planning.ts';
import { recordedCatalogue } from '../../../../../test/support/recorded-catalogue.ts';
import { requestedThreads } from '../encoders/thread-count.ts';
import { requestShape } from '../plan-cache.ts';
import { limitArgs } from './resource-limits.ts';

const machine = (cores: number) => ({ cores, svtLevels: false });

describe('limits in the argv', () => {
  test('come before each input, and before the options of the output, which override them', () => {
    const inputs = [{ input: 'a.mp4', parameters: { ss: '1' } }, 'b.mp3'];
    const { passes } = validPlan(
      { inputs, output: 'c.mp4', parameters: { threads: '3' } },
      { policy: { pixels: 1000, threads: 4 }, cores: 16 },
    );
    const argv = passes[0]?.join(' ');
    expect(argv).toContain(
      '-max_alloc 134217728 -filter_threads 4 -filter_complex_threads 4 -max_pixels 1000 -threads 4 -ss 1',
    );
    expect(argv?.match(/-max_pixels 1000 -threads 4/g)).toHaveLength(3);
    expect(argv).toMatch(/in\/1\.mp3 -max_pixels 1000 -threads 4 -threads 3 -f mp4/);
  });

  test('limit threads only if ffmpeg would start more by default', () => {
    expect(limitArgs({ threads: 4 }, machine(2))).toEqual({ head: [], input: [], output: [] });
    expect(limitArgs({ threads: 4 }, machine(3)).output).toEqual(['-threads', '4']);
  });

  test('never exceed the default of decoders and the maximum of encoders', () => {
    expect(limitArgs({ threads: 100 }, machine(128))).toEqual({
      head: ['-filter_threads', '100', '-filter_complex_threads', '100'],
      input: ['-threads', '16'],
      output: ['-threads', '64'],
    });
  });

  test('stay within the numbers that ffmpeg accepts, and leave it the memory that it always needs', () => {
    expect(limitArgs({ pixels: 2 ** 27 }, machine(1)).head).toEqual(['-max_alloc', '1073741824']);
    expect(limitArgs({ pixels: 1 }, machine(1)).head).toEqual(['-max_alloc', '134217728']);
    expect(limitArgs({ pixels: 1e10 }, machine(1))).toEqual({
      head: ['-max_alloc', '2147483647'],
      input: ['-max_pixels', '2147483647'],
      output: ['-max_pixels', '2147483647'],
    });
  });
});

/** Returns the arguments between the limits of the output and its muxer, for each pass. */
const outputArgs = (
  parameters: Parameters,
  policy: ClientLimits,
  cores: number,
  catalogue = CATALOGUE,
): readonly string[] =>
  validPlan(requestWith(parameters), { catalogue, policy, cores }).passes.map(
    (argv) => / file:in\/0\.mp4 (?:-threads \d+ )?(.*) -f mp4 /.exec(argv.join(' '))?.[1] ?? '',
  );

describe('encoder parameters that set the thread limit', () => {
  test.each<[string, Parameters, string]>([
    ['libx265', { 'c:v': 'libx265' }, '-x265-params pools=4:frame-threads=0 -c:v libx265'],
    [
      'libx265 before parameters of the client, which override it',
      { 'c:v': 'libx265', 'x265-params': 'pools=2:keyint=48' },
      '-c:v libx265 -x265-params pools=4:frame-threads=0:pools=2:keyint=48',
    ],
    [
      'libx265 for one of its streams',
      { 'c:v': 'libx265', 'x265-params:v:1': 'keyint=48' },
      '-x265-params pools=4:frame-threads=0 -c:v libx265 -x265-params:v:1 pools=4:frame-threads=0:keyint=48',
    ],
    [
      'libx265, except for frame threads if the client sends "threads"',
      { 'c:v': 'libx265', threads: '3' },
      '-x265-params pools=4 -c:v libx265 -threads 3',
    ],
    ...['threads:v:0', 'threads:0', 'threads:V', 'threads:v:1'].map((key): [string, Parameters, string] => [
      `libx265, except for frame threads if the client sends "${key}"`,
      { 'c:v': 'libx265', [key]: '3' },
      `-x265-params pools=4 -c:v libx265 -${key} 3`,
    ]),
    [
      'libx265 if the client sends "threads" for other streams',
      { 'c:v:0': 'libx265', 'c:v:1': 'libx264', 'threads:a': '3', 'threads:v:1': '2' },
      '-x265-params pools=4:frame-threads=0 -c:v:0 libx265 -c:v:1 libx264 -threads:a 3 -threads:v:1 2',
    ],
    [
      'libx265 named by the number of its stream',
      { 'c:0': 'libx265' },
      '-x265-params pools=4:frame-threads=0 -c:0 libx265',
    ],
    ['libsvtav1', { 'c:v': 'libsvtav1' }, '-svtav1-params lp=4 -c:v libsvtav1'],
    [
      'libsvtav1 before parameters of the client',
      { 'c:v': 'libsvtav1', 'svtav1-params': 'lp=1' },
      '-c:v libsvtav1 -svtav1-params lp=4:lp=1',
    ],
    [
      'none for libx264, which respects -threads',
      { 'c:v': 'libx264', 'x264-params': 'ref=1' },
      '-c:v libx264 -x264-params ref=1',
    ],
  ])('%s', (_what, parameters, args) => {
    expect(outputArgs(parameters, { threads: 4 }, 16)).toEqual([args]);
  });

  test('libx265 as the default encoder of a container', () => {
    const { passes } = validPlan({ input: 'a.mp4', output: 'b.hevc' }, { policy: { threads: 4 }, cores: 16 });
    expect(passes[0]?.slice(-7)).toEqual([
      ...['-threads', '4', '-x265-params', 'pools=4:frame-threads=0'],
      ...['-f', 'hevc', 'file:out/b.hevc'],
    ]);
  });

  test('libx265 in both passes', () => {
    const parameters = { 'c:v': 'libx265', 'b:v': '1M', 'x265-params': 'keyint=48', pass: '2' };
    const own = 'pools=4:frame-threads=0:keyint=48';
    expect(outputArgs(parameters, { threads: 4 }, 16)).toEqual([
      `-c:v libx265 -b:v 1M -x265-params ${own} -x265-params:v:0 pass=1:stats=pass/x265-0.log:${own} -pass 1 -passlogfile pass/log -an -sn -y`,
      `-c:v libx265 -b:v 1M -x265-params ${own} -x265-params:v:0 pass=2:stats=pass/x265-0.log:${own} -pass 2 -passlogfile pass/log`,
    ]);
  });

  test('none if ffmpeg would not start more threads by default', () => {
    expect(outputArgs({ 'c:v': 'libx265' }, { threads: 64 }, 2)).toEqual(['-c:v libx265']);
    expect(outputArgs({ 'c:v': 'libx265' }, {}, 64)).toEqual(['-c:v libx265']);
  });

  test.each([
    [1, 1],
    [5, 3],
    [11, 4],
    [64, 6],
  ])('newer libsvtav1 as a level of parallelism: %i threads are level %i', (threads, level) => {
    expect(outputArgs({ 'c:v': 'libsvtav1' }, { threads }, 64, recordedCatalogue('7.1'))).toEqual([
      `-svtav1-params lp=${level} -c:v libsvtav1`,
    ]);
  });
});

test.each<[Parameters, ClientLimits, string]>([
  [{ threads: '9' }, { threads: 8 }, '"threads" requests more threads than your limit of 8'],
  [{ 'threads:v': '1k' }, { threads: 8 }, '"threads:v" requests more threads than your limit'],
  [{ threads: 'max' }, { threads: 8 }, '"threads" requests more threads than your limit'],
  [{ threads: 'max/2' }, { threads: 8 }, '"threads" requests more threads than your limit'],
  [{ threads: '0' }, { threads: 2 }, '"threads" requests more threads than your limit'],
  [{ threads: 'auto' }, { threads: 2 }, '"threads" requests more threads than your limit'],
  [
    { 'c:v': 'libx264', 'x264-params': 'ref=1:threads=9' },
    { threads: 8 },
    '"x264-params" requests more threads than your limit of 8',
  ],
  [
    { 'c:v': 'libx264', x264opts: 'lookahead_threads=9' },
    { threads: 8 },
    '"x264opts" requests more threads than your limit',
  ],
  [
    { 'c:v': 'libx264', 'x264-params': 'threads=auto' },
    { threads: 2 },
    '"x264-params" requests more threads than your limit',
  ],
  [
    { 'c:v': 'libx265', 'x265-params': 'pools=5,4' },
    { threads: 8 },
    '"x265-params" requests more threads than your limit',
  ],
  [
    { 'c:v': 'libx265', 'x265-params': 'numa_pools=9' },
    { threads: 8 },
    '"x265-params" requests more threads than your limit',
  ],
  [
    { 'c:v': 'libx265', 'x265-params': 'pools=*' },
    { threads: 1 },
    '"x265-params" requests more threads than your limit',
  ],
  [
    { 'c:v': 'libx265', 'x265-params': 'pools=+9' },
    { threads: 1 },
    '"x265-params" requests more threads than your limit',
  ],
  [
    { 'c:v': 'libx265', 'x265-params': 'pools=9*' },
    { threads: 8 },
    '"x265-params" requests more threads than your limit',
  ],
  [
    { 'c:v': 'libx265', 'x265-params': 'pools=2:frame-threads=9' },
    { threads: 8 },
    '"x265-params" requests more threads than your limit',
  ],
  [
    { 'c:v': 'libsvtav1', 'svtav1-params': 'lp=9' },
    { threads: 8 },
    '"svtav1-params" requests more threads than your limit',
  ],
  [
    { 'c:v': 'libsvtav1', 'svtav1-params': 'lp=0' },
    { threads: 1 },
    '"svtav1-params" requests more threads than your limit',
  ],
  [{ s: '2000x1000' }, { pixels: 1_999_999 }, '"s" requests 2000x1000, more than your limit of 1999999 pixels'],
  [{ s: 'hd1080' }, { pixels: 1_000_000 }, '"s" requests 1920x1080'],
])('rejects %o with the limit %o', (parameters, policy, message) => {
  expect(errorsOf(requestWith(parameters), { policy, cores: 2 })).toMatchObject([
    { code: 'LIMIT_EXCEEDED', message: expect.stringContaining(message) },
  ]);
});

test('rejects an option over the limit on a single input too', () => {
  const spec = { input: 'a.mp4', parameters: { threads: '9' } };
  expect(errorCodesOf({ inputs: ['b.mp4', spec], output: 'c.mp4' }, { policy: { threads: 8 } })).toEqual([
    '/inputs/1/parameters/threads LIMIT_EXCEEDED',
  ]);
});

test("limits the decoder's own thread options", () => {
  const planWith = (name: string, value: string) =>
    planRequest(
      { inputs: [{ input: 'a.mp4', parameters: { 'c:v': 'libdav1d', [name]: value } }], output: 'b.mp4' },
      { policy: { threads: 8 } },
    );
  for (const name of ['framethreads', 'tilethreads']) {
    expect(planWith(name, '9')).toMatchObject({ errors: [{ code: 'LIMIT_EXCEEDED' }] });
    expect(planWith(name, '8').ok).toBe(true);
  }
});

test('converts a level of newer libsvtav1 to a number of threads', () => {
  const levels = { cores: 2, svtLevels: true };
  expect(requestedThreads('svtav1-params', 'lp=4', levels)).toBe(6);
  expect(requestedThreads('svtav1-params', 'lp=99', levels)).toBe(24);
  expect(requestedThreads('svtav1-params', 'lp=0', levels)).toBe(2);
});

test.each<[Parameters, ClientLimits]>([
  [{ threads: '8' }, { threads: 8 }],
  [{ threads: 'auto' }, { threads: 8 }],
  [{ threads: '2000' }, {}],
  [{ threads: 'default' }, { threads: 1 }],
  [{ 'c:v': 'libx264', 'x264-params': 'threads=8:ref=16' }, { threads: 8 }],
  [{ 'c:v': 'libx265', 'x265-params': 'pools=none' }, { threads: 1 }],
  [{ 'c:v': 'libx265', 'x265-params': 'pools=-,1:frame-threads=auto' }, { threads: 1 }],
  [{ 'c:v': 'libsvtav1', 'svtav1-params': 'lp=8' }, { threads: 8 }],
  [{ s: '2000x1000' }, { pixels: 2_000_000 }],
])('allows %o with the limit %o', (parameters, policy) => {
  expect(errorsOf(requestWith(parameters), { policy, cores: 2 })).toEqual([]);
});

test('rejects options that would raise a limit', () => {
  const names = ['max_pixels', 'max_pixels:v', 'max_alloc', 'filter_threads'];
  for (const name of names) {
    expect(errorsOf(requestWith({ [name]: '1' }))).toMatchObject([{ code: 'OPTION_NOT_ALLOWED' }]);
  }
});

test('the plan cache keeps requests of clients with different limits apart', () => {
  const keyFor = (policy: ClientLimits) =>
    requestShape(requestWith({ threads: '8' }), { scope: mediaRoot(MEDIA_ROOT), policy })?.key;
  expect(keyFor({ threads: 8 })).toBe(keyFor({ threads: 8 }));
  expect(keyFor({ threads: 8 })).not.toBe(keyFor({ threads: 4 }));
});
