import { describe, expect, test } from 'vitest';
import { recordedCatalogue } from '../../../../test/support/recorded-catalogue.ts';
import type { ClientLimits } from '../../../domain/client-limits.ts';
import type { ConversionRequest, Parameters } from '../../../domain/conversion.ts';
import { requestedThreads } from '../encoders/thread-count.ts';
import { requestShape } from '../plan-cache.ts';
import { plan } from '../planner.ts';
import { findMissingFacts } from '../required-facts.ts';
import { limitArgs } from './resource-limits.ts';

const catalogue = recordedCatalogue();
const request = (parameters: Parameters): ConversionRequest => ({ input: 'a.mp4', output: 'b.mp4', parameters });
const planned = (parameters: Parameters, policy: ClientLimits, cores = 2) =>
  plan(request(parameters), { catalogue, root: '/media', policy, cores });
const machine = (cores: number) => ({ cores, svtLevels: false });

describe('what an argv says of limits', () => {
  test('they stand before each input, and before the options of the output, which win over them', () => {
    const inputs = [{ input: 'a.mp4', parameters: { ss: '1' } }, 'b.mp3'];
    const result = plan(
      { inputs, output: 'c.mp4', parameters: { threads: '3' } },
      { catalogue, root: '/media', policy: { pixels: 1000, threads: 4 }, cores: 16 },
    );
    const words = result.ok ? result.plan.passes[0]?.join(' ') : '';
    expect(words).toContain(
      '-max_alloc 134217728 -filter_threads 4 -filter_complex_threads 4 -max_pixels 1000 -threads 4 -ss 1',
    );
    expect(words?.match(/-max_pixels 1000 -threads 4/g)).toHaveLength(3);
    expect(words).toMatch(/in\/1\.mp3 -max_pixels 1000 -threads 4 -threads 3 -f mp4/);
  });

  test('of threads only where ffmpeg would take more by itself', () => {
    expect(limitArgs({ threads: 4 }, machine(2))).toEqual({ head: [], input: [], output: [] });
    expect(limitArgs({ threads: 4 }, machine(3)).output).toEqual(['-threads', '4']);
  });

  test('no more than a decoder takes by itself, and than encoders can be told', () => {
    expect(limitArgs({ threads: 100 }, machine(128))).toEqual({
      head: ['-filter_threads', '100', '-filter_complex_threads', '100'],
      input: ['-threads', '16'],
      output: ['-threads', '64'],
    });
  });

  test('ffmpeg takes no larger numbers, and needs some memory for anything', () => {
    expect(limitArgs({ pixels: 2 ** 27 }, machine(1)).head).toEqual(['-max_alloc', '1073741824']);
    expect(limitArgs({ pixels: 1 }, machine(1)).head).toEqual(['-max_alloc', '134217728']);
    expect(limitArgs({ pixels: 1e10 }, machine(1))).toEqual({
      head: ['-max_alloc', '2147483647'],
      input: ['-max_pixels', '2147483647'],
      output: ['-max_pixels', '2147483647'],
    });
  });
});

/** What stands between the limits of the output and its muxer. */
function output(parameters: Parameters, policy: ClientLimits, cores: number, facts = catalogue): readonly string[] {
  const result = plan(request(parameters), { catalogue: facts, root: '/media', policy, cores });
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.plan.passes.map(
    (words) => / file:in\/0\.mp4 (?:-threads \d+ )?(.*) -f mp4 /.exec(words.join(' '))?.[1] ?? '',
  );
}

describe('encoders that make threads for every core, whatever "threads" says, are told in their own parameters', () => {
  test.each<[string, Parameters, string]>([
    ['libx265', { 'c:v': 'libx265' }, '-x265-params pools=4:frame-threads=0 -c:v libx265'],
    [
      'libx265 with parameters of the caller, which win',
      { 'c:v': 'libx265', 'x265-params': 'pools=2:keyint=48' },
      '-c:v libx265 -x265-params pools=4:frame-threads=0:pools=2:keyint=48',
    ],
    [
      'libx265 with parameters for one of its streams',
      { 'c:v': 'libx265', 'x265-params:v:1': 'keyint=48' },
      '-x265-params pools=4:frame-threads=0 -c:v libx265 -x265-params:v:1 pools=4:frame-threads=0:keyint=48',
    ],
    [
      'libx265 with frames at a time of the caller',
      { 'c:v': 'libx265', threads: '3' },
      '-x265-params pools=4 -c:v libx265 -threads 3',
    ],
    ...['threads:v:0', 'threads:0', 'threads:V', 'threads:v:1'].map((key): [string, Parameters, string] => [
      `libx265 with frames at a time of the caller, by "${key}"`,
      { 'c:v': 'libx265', [key]: '3' },
      `-x265-params pools=4 -c:v libx265 -${key} 3`,
    ]),
    [
      'libx265 with threads for streams of others',
      { 'c:v:0': 'libx265', 'c:v:1': 'libx264', 'threads:a': '3', 'threads:v:1': '2' },
      '-x265-params pools=4:frame-threads=0 -c:v:0 libx265 -c:v:1 libx264 -threads:a 3 -threads:v:1 2',
    ],
    ['libx265 by the number of its stream', { 'c:0': 'libx265' }, '-x265-params pools=4:frame-threads=0 -c:0 libx265'],
    ['libsvtav1', { 'c:v': 'libsvtav1' }, '-svtav1-params lp=4 -c:v libsvtav1'],
    [
      'libsvtav1 with parameters of the caller',
      { 'c:v': 'libsvtav1', 'svtav1-params': 'lp=1' },
      '-c:v libsvtav1 -svtav1-params lp=4:lp=1',
    ],
    ['libx264, which heeds it', { 'c:v': 'libx264', 'x264-params': 'ref=1' }, '-c:v libx264 -x264-params ref=1'],
  ])('%s', (_what, parameters, words) => {
    expect(output(parameters, { threads: 4 }, 16)).toEqual([words]);
  });

  test('libx265 that nobody named, since the container is asked for its encoder', () => {
    const bare = { input: 'a.mp4', output: 'b.hevc' };
    expect(findMissingFacts(bare, { ...catalogue, components: new Map() })?.components).toEqual([
      { kind: 'muxer', name: 'hevc' },
    ]);
    const text = 'Muxer hevc [raw HEVC video]:\n    Default video codec: hevc.\n';
    const asked = { ...catalogue, components: new Map([...catalogue.components, ['muxer=hevc', { text }]]) };
    expect(findMissingFacts(bare, asked)).toBeUndefined();
    const result = plan(bare, { catalogue: asked, root: '/media', policy: { threads: 4 }, cores: 16 });
    expect(result.ok && result.plan.passes[0]?.slice(-7)).toEqual([
      ...['-threads', '4', '-x265-params', 'pools=4:frame-threads=0'],
      ...['-f', 'hevc', 'file:out/b.hevc'],
    ]);
  });

  test('in both of two passes', () => {
    const parameters = { 'c:v': 'libx265', 'b:v': '1M', 'x265-params': 'keyint=48', pass: '2' };
    const own = 'pools=4:frame-threads=0:keyint=48';
    expect(output(parameters, { threads: 4 }, 16)).toEqual([
      `-c:v libx265 -b:v 1M -x265-params ${own} -x265-params:v:0 pass=1:stats=pass/x265-0.log:${own} -pass 1 -passlogfile pass/log -an -sn -y`,
      `-c:v libx265 -b:v 1M -x265-params ${own} -x265-params:v:0 pass=2:stats=pass/x265-0.log:${own} -pass 2 -passlogfile pass/log`,
    ]);
  });

  test('not where ffmpeg would take no more by itself', () => {
    expect(output({ 'c:v': 'libx265' }, { threads: 64 }, 2)).toEqual(['-c:v libx265']);
    expect(output({ 'c:v': 'libx265' }, {}, 64)).toEqual(['-c:v libx265']);
  });

  test.each([
    [1, 1],
    [5, 3],
    [11, 4],
    [64, 6],
  ])('of newer libsvtav1 the level that is for %i processors is %i', (threads, level) => {
    expect(output({ 'c:v': 'libsvtav1' }, { threads }, 64, recordedCatalogue('7.1'))).toEqual([
      `-svtav1-params lp=${level} -c:v libsvtav1`,
    ]);
  });
});

test.each<[Parameters, ClientLimits, string]>([
  [{ threads: '9' }, { threads: 8 }, '"threads" asks for more than the 8 threads'],
  [{ 'threads:v': '1k' }, { threads: 8 }, '"threads:v" asks for more'],
  [{ threads: 'max' }, { threads: 8 }, '"threads" asks for more'],
  [{ threads: 'max/2' }, { threads: 8 }, '"threads" asks for more'],
  [{ threads: '0' }, { threads: 2 }, '"threads" asks for more'],
  [{ threads: 'auto' }, { threads: 2 }, '"threads" asks for more'],
  [{ 'c:v': 'libx264', 'x264-params': 'ref=1:threads=9' }, { threads: 8 }, '"x264-params" asks for more than the 8'],
  [{ 'c:v': 'libx264', x264opts: 'lookahead_threads=9' }, { threads: 8 }, '"x264opts" asks for more'],
  [{ 'c:v': 'libx264', 'x264-params': 'threads=auto' }, { threads: 2 }, '"x264-params" asks for more'],
  [{ 'c:v': 'libx265', 'x265-params': 'pools=5,4' }, { threads: 8 }, '"x265-params" asks for more'],
  [{ 'c:v': 'libx265', 'x265-params': 'numa_pools=9' }, { threads: 8 }, '"x265-params" asks for more'],
  [{ 'c:v': 'libx265', 'x265-params': 'pools=*' }, { threads: 1 }, '"x265-params" asks for more'],
  [{ 'c:v': 'libx265', 'x265-params': 'pools=+9' }, { threads: 1 }, '"x265-params" asks for more'],
  [{ 'c:v': 'libx265', 'x265-params': 'pools=9*' }, { threads: 8 }, '"x265-params" asks for more'],
  [{ 'c:v': 'libx265', 'x265-params': 'pools=2:frame-threads=9' }, { threads: 8 }, '"x265-params" asks for more'],
  [{ 'c:v': 'libsvtav1', 'svtav1-params': 'lp=9' }, { threads: 8 }, '"svtav1-params" asks for more'],
  [{ 'c:v': 'libsvtav1', 'svtav1-params': 'lp=0' }, { threads: 1 }, '"svtav1-params" asks for more'],
  [{ s: '2000x1000' }, { pixels: 1_999_999 }, '"s" asks for 2000x1000; 1999999 pixels'],
  [{ s: 'hd1080' }, { pixels: 1_000_000 }, '"s" asks for 1920x1080'],
])('%o under %o is refused', (parameters, policy, message) => {
  const result = planned(parameters, policy);
  expect(result.ok ? [] : result.errors).toMatchObject([
    { code: 'LIMIT_EXCEEDED', message: expect.stringContaining(message), fix: expect.any(String) },
  ]);
});

test('it is refused of one input too', () => {
  const spec = { input: 'a.mp4', parameters: { threads: '9' } };
  const facts = { catalogue, root: '/media', policy: { threads: 8 } };
  const own = plan({ inputs: ['b.mp4', spec], output: 'c.mp4' }, facts);
  expect(own.ok ? [] : own.errors.map(({ field, code }) => [field, code])).toEqual([
    ['/inputs/1/parameters/threads', 'LIMIT_EXCEEDED'],
  ]);
});

test('a decoder that has names of its own for threads is no way round', () => {
  const asked = (name: string, value: string) =>
    plan(
      { inputs: [{ input: 'a.mp4', parameters: { 'c:v': 'libdav1d', [name]: value } }], output: 'b.mp4' },
      { catalogue, root: '/media', policy: { threads: 8 } },
    );
  for (const name of ['framethreads', 'tilethreads']) {
    expect(asked(name, '9')).toMatchObject({ errors: [{ code: 'LIMIT_EXCEEDED' }] });
    expect(asked(name, '8').ok).toBe(true);
  }
});

test('a level of newer libsvtav1 stands for the processors that it is meant for', () => {
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
])('%o under %o is not', (parameters, policy) => {
  expect(planned(parameters, policy).ok).toBe(true);
});

test('a caller cannot lift them', () => {
  const names = ['max_pixels', 'max_pixels:v', 'max_alloc', 'filter_threads'];
  for (const name of names) {
    const result = planned({ [name]: '1' }, {});
    expect(result.ok ? [] : result.errors).toMatchObject([{ code: 'OPTION_NOT_ALLOWED' }]);
  }
});

test('the plan cache keeps requests of clients with different limits apart', () => {
  const keyFor = (policy: ClientLimits) => requestShape(request({ threads: '8' }), { root: '/media', policy })?.key;
  expect(keyFor({ threads: 8 })).toBe(keyFor({ threads: 8 }));
  expect(keyFor({ threads: 8 })).not.toBe(keyFor({ threads: 4 }));
});
