import { expect, test } from 'vitest';
import type { z } from 'zod';
import { conversionBody, llmConversionBody } from './conversion.ts';
import { fieldErrors } from './explain.ts';

const faults = (body: unknown, schema: z.ZodType = conversionBody) => {
  const result = schema.safeParse(body);
  return result.success ? [] : fieldErrors(schema, result.error.issues, body);
};
const good = { input: 'a', output: 'b' };

test('all faults are told at once, each at its place', () => {
  const found = faults({
    inputs: ['a', { input: 'b', parameters: { t: 5 } }],
    input: 'a',
    outputs: 'b',
    format: '',
    parameters: { 'c:v': 'libx264', crf: 23, map: ['0:v', 1], an: true, '': 'x', 'a/b': null },
  });
  expect(found.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
    '/format EMPTY',
    '/inputs EXCLUSIVE',
    '/inputs/1/parameters/t WRONG_TYPE',
    '/output MISSING',
    '/outputs UNKNOWN_FIELD',
    '/parameters/ EMPTY',
    '/parameters/an WRONG_TYPE',
    '/parameters/a~1b WRONG_TYPE',
    '/parameters/crf WRONG_TYPE',
    '/parameters/map/1 WRONG_TYPE',
  ]);
});

test('a number is answered with the string to send', () => {
  expect(faults({ ...good, parameters: { crf: 23 } })).toMatchObject([
    { field: '/parameters/crf', message: expect.stringContaining('Send "23".'), fix: 'Send "23".' },
  ]);
});

test('an unknown field names the near one and all that are known', () => {
  expect(faults({ ...good, parametres: {} })).toMatchObject([
    { field: '/parametres', fix: 'Send "parameters".', allowed: expect.arrayContaining(['input', 'output', 'llmId']) },
  ]);
  expect(faults({ output: 'b', inputs: [{ input: 'a', durations: '1' }] })).toMatchObject([
    { field: '/inputs/0/durations', fix: 'Send "duration".' },
  ]);
});

test('100 options are taken and 101 are not, those of inputs and the members of lists included', () => {
  const options = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`o${i}`, '1']));
  const body = (count: number) => ({
    output: 'b',
    inputs: [{ input: 'a', parameters: { ss: '1', t: '2' } }],
    parameters: { ...options(count), map: ['0', '1', '2'] },
  });
  expect(faults(body(95))).toEqual([]);
  expect(faults(body(96))).toMatchObject([{ field: '/parameters', code: 'TOO_MANY' }]);
  expect(faults({ ...body(96), input: '', outputs: 'c' }).map(({ field }) => field)).toEqual(
    expect.arrayContaining(['/outputs', '/input', '/inputs', '/parameters']),
  );
});

test('100 inputs are taken and 101 are not', () => {
  const inputs = (count: number) => ({ output: 'b', inputs: Array.from({ length: count }, () => 'a') });
  expect(faults(inputs(100))).toEqual([]);
  expect(faults(inputs(101))).toMatchObject([{ field: '/inputs', code: 'TOO_MANY' }]);
});

test('llmId is 1 to 200 characters of one line, and needed where models ask', () => {
  expect(faults({ ...good, llmId: 'x'.repeat(200) })).toEqual([]);
  for (const llmId of ['', 'x'.repeat(201), 'two\nlines']) expect(faults({ ...good, llmId })).toHaveLength(1);
  expect(faults(good, llmConversionBody)).toMatchObject([{ field: '/llmId', code: 'MISSING' }]);
});

test('a request of ten thousand faults is answered with its first ones', () => {
  const parameters = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`o${i}`, i]));
  expect(faults({ ...good, parameters }).length).toBeLessThanOrEqual(50);
});
