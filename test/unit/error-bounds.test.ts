import { expect, test } from 'vitest';
import type { ConversionRequest, Parameters } from '../../packages/contract/src/domain/conversion.ts';
import { hasEnough, invalidRequest, MAX_FIELD_ERRORS } from '../../packages/contract/src/domain/problem.ts';
import { CATALOGUE, errorsOf } from '../support/planning.ts';

const names = (count: number, prefix: string): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

const withOutputs = (parametersOf: (index: number) => Parameters, parameters: Parameters = {}): ConversionRequest => ({
  input: 'a.mp4',
  outputs: Array.from({ length: 20 }, (_, index) => ({ output: `${index}.mp4`, parameters: parametersOf(index) })),
  parameters,
});

test.each<readonly [string, ConversionRequest]>([
  ['filters that nobody knows in each output', withOutputs((index) => ({ vf: names(60, `f${index}_`).join() }))],
  ['values too many in each output', withOutputs((index) => ({ vf: `scale=${'1:'.repeat(5000)}${index}` }))],
  [
    'labels that nothing uses',
    withOutputs(() => ({}), { filter_complex: `split=2000[${names(2000, 'a').join('][')}]` }),
  ],
  [
    'unknown options of all outputs',
    withOutputs(() => ({}), Object.fromEntries(names(100, 'o').map((name) => [name, '1']))),
  ],
])('the checks of a request with %s end after the errors that a reply has', (_, request) => {
  expect(errorsOf(request).length).toBeLessThanOrEqual(2 * MAX_FIELD_ERRORS);
});

test('a request with a few errors in each output gets all of them', () => {
  const errors = errorsOf(withOutputs((index) => ({ vf: `f${index}`, ...(index < 10 && { crf: `x${index}` }) })));
  expect(errors).toHaveLength(30);
  expect(hasEnough(errors)).toBe(false);
});

test('errors of all outputs appear once, also if there are many outputs', () => {
  const shared = Object.fromEntries(names(40, 'optiono').map((name) => [name, '1']));
  const errors = errorsOf(withOutputs((index) => (index === 19 ? { crf: 'x' } : {}), shared));
  expect(errors.map(({ field }) => field)).toEqual([
    ...Object.keys(shared).map((name) => `/parameters/${name}`),
    '/outputs/19/parameters/crf',
  ]);
});

const mistakes = (count: number): Parameters => Object.fromEntries(names(count, 'o').map((name) => [name, '1']));

test('an error about an option of several outputs names its output if the others were not checked', () => {
  const errorsOfFirst = (count: number) =>
    errorsOf({
      input: 'a.mp4',
      parameters: { crf: '60' },
      outputs: [
        { output: 'a.mp4', parameters: { 'c:v': 'libx264', preset: 'none', ...mistakes(count) } },
        { output: 'b.webm' },
      ],
    }).find(({ field }) => field === '/parameters/crf');
  const checked = errorsOfFirst(1);
  expect(checked).toMatchObject({ code: 'OUT_OF_RANGE', message: expect.stringMatching(/^For the output "a\.mp4": /) });
  expect(errorsOfFirst(49)?.message).toBe(checked?.message);
});

test('an output with more errors than are checked does not change the words of those that all outputs share', () => {
  const errors = errorsOf({
    input: 'a.mp4',
    parameters: { crf: 'x' },
    outputs: [{ output: 'a.mp4' }, { output: 'b.mp4', parameters: mistakes(60) }],
  });
  expect(errors.find(({ field }) => field === '/parameters/crf')?.message).not.toContain('For the output');
});

test('options that are wrong for outputs of one kind are wrong for all, also if only the first was checked', () => {
  const errors = errorsOf(withOutputs(() => ({}), mistakes(60)));
  expect(errors.filter(({ message }) => message.startsWith('For the output'))).toEqual([]);
});

test('does not miss HLS in an output that was not checked', () => {
  const errors = errorsOf({
    input: 'a.mp4',
    encrypt: { keyUri: 'https://keys.example/1' },
    outputs: [{ output: 'a.mp4', parameters: mistakes(60) }, { output: 'b.m3u8' }],
  });
  expect(errors.filter(({ code, field }) => code === 'NOT_HLS' && field === '/encrypt')).toEqual([]);
});

test('a reply with the first of many errors says so', () => {
  const many = names(MAX_FIELD_ERRORS + 1, '/').map((field) => ({ field, code: 'X', message: 'No.' }));
  const { message, errors } = invalidRequest(many);
  expect(message).toBe('The request has more than 50 errors: these are the first 50. The first: No.');
  expect(invalidRequest(errors).message).toBe(message);
  expect(invalidRequest(many.slice(1)).message).toBe('The request has 50 errors. The first: No.');
});

test('checks the graphs of an output once for all other outputs', () => {
  const lookups = (outputs: number): number => {
    let count = 0;
    class Counted<K, V> extends Map<K, V> {
      override has(key: K): boolean {
        count += 1;
        return super.has(key);
      }
    }
    const { lists } = CATALOGUE;
    const catalogue = { ...CATALOGUE, lists: { ...lists, filters: new Counted(lists.filters) } };
    const { outputs: all = [], ...request } = withOutputs(() => ({ vf: 'hflip,'.repeat(99).slice(0, -1) }));
    expect(errorsOf({ ...request, outputs: all.slice(0, outputs) }, { catalogue })).toEqual([]);
    return count;
  };
  expect(lookups(20)).toBeLessThanOrEqual(4.5 * lookups(5));
});

test('a request whose values are longer than a command is rejected before they are checked', () => {
  const filters = Array.from({ length: 20 }, () => `${'nul,'.repeat(5000)}nul`);
  expect(errorsOf(withOutputs((index) => ({ vf: filters[index] ?? '' })))).toMatchObject([
    { field: '/parameters', code: 'TOO_LONG' },
  ]);
});
