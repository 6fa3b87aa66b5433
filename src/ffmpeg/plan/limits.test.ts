import { describe, expect, test } from 'vitest';
import { recordedCatalogue } from '../../../test/support/recorded-catalogue.ts';
import type { ConversionRequest, Parameters } from '../../domain/conversion.ts';
import type { Policy } from '../../domain/policy.ts';
import { pathsLikeBefore, rememberPlanned } from './like-before.ts';
import { limitWords } from './limits.ts';
import { plan } from './planner.ts';

const catalogue = recordedCatalogue();
const request = (parameters: Parameters): ConversionRequest => ({ input: 'a.mp4', output: 'b.mp4', parameters });
const planned = (parameters: Parameters, policy: Policy, cores = 2) =>
  plan(request(parameters), { catalogue, root: '/media', policy, cores });

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
    expect(limitWords({ threads: 4 }, 2)).toEqual({ head: [], file: [] });
    expect(limitWords({ threads: 4 }, 3).file).toEqual(['-threads', '4']);
  });

  test('ffmpeg takes no larger numbers, and needs some memory for anything', () => {
    expect(limitWords({ pixels: 2 ** 27 }, 1).head).toEqual(['-max_alloc', '1073741824']);
    expect(limitWords({ pixels: 1 }, 1).head).toEqual(['-max_alloc', '134217728']);
    expect(limitWords({ pixels: 1e10 }, 1)).toEqual({
      head: ['-max_alloc', '2147483647'],
      file: ['-max_pixels', '2147483647'],
    });
  });
});

test.each<[Parameters, Policy, string]>([
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

test.each<[Parameters, Policy]>([
  [{ threads: '8' }, { threads: 8 }],
  [{ threads: 'auto' }, { threads: 8 }],
  [{ threads: '2000' }, {}],
  [{ threads: 'default' }, { threads: 1 }],
  [{ 'c:v': 'libx264', 'x264-params': 'threads=8:ref=16' }, { threads: 8 }],
  [{ 'c:v': 'libx265', 'x265-params': 'pools=none' }, { threads: 1 }],
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

test('what was planned for one client is not remembered for one who may have less', () => {
  const facts = { catalogue, root: '/media', policy: { threads: 8 } };
  rememberPlanned(request({ threads: '8' }), facts);
  expect(pathsLikeBefore(request({ threads: '8' }), facts)).toBeDefined();
  expect(pathsLikeBefore(request({ threads: '8' }), { ...facts, policy: { threads: 4 } })).toBeUndefined();
});
