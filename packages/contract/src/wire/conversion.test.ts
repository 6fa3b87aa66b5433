import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { sampledRuns } from '../../../../test/support/sampled.ts';
import { REQUEST_LIMITS } from '../domain/conversion.ts';
import { MAX_FIELD_ERRORS } from '../domain/problem.ts';
import { analysisBody } from './analysis.ts';
import { batchBody, conversionBody, isPlainConversion, llmConversionBody } from './conversion.ts';
import { fieldErrors } from './explain.ts';
import { probeBody } from './probe.ts';
import { newShareBody } from './share.ts';

const errorsOf = (body: unknown, schema: z.ZodType = conversionBody) => {
  const result = schema.safeParse(body);
  return result.success ? [] : fieldErrors(schema, result.error.issues, body);
};
const good = { input: 'a', output: 'b' };

test('reports all errors at once, each with its field, and a misnamed field once', () => {
  const found = errorsOf({
    inputs: ['a', { input: 'b', parameters: { t: null } }],
    input: 'a',
    outputs: 'b',
    format: '',
    parameters: { 'c:v': 'libx264', crf: {}, map: ['0:v', true], '': 'x', 'a/b': null },
  });
  expect(found.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
    '/format EMPTY',
    '/inputs EXCLUSIVE',
    '/inputs/1/parameters/t WRONG_TYPE',
    '/outputs WRONG_TYPE',
    '/parameters/ EMPTY',
    '/parameters/a~1b WRONG_TYPE',
    '/parameters/crf WRONG_TYPE',
    '/parameters/map/1 WRONG_TYPE',
  ]);
});

test('takes numbers in options as their texts, and keeps booleans for the planner', () => {
  const sent = { crf: 23, r: 29.97, 'b:v': 1e6, ss: 0, map: ['0:v', 1], an: true, sn: false, tune: 'film' };
  const read = {
    crf: '23',
    r: '29.97',
    'b:v': '1000000',
    ss: '0',
    map: ['0:v', '1'],
    an: true,
    sn: false,
    tune: 'film',
  };
  const bodyWith = (parameters: object) => ({
    inputs: [{ input: 'a', parameters }],
    outputs: [{ output: 'b', parameters, fallback: parameters }],
    ...{ parameters, fallback: parameters },
  });
  const [text, same] = [JSON.stringify(bodyWith(sent)), bodyWith(read)];
  expect(conversionBody.parse(JSON.parse(text))).toEqual(same);
  expect(conversionBody.parse(same)).toEqual(same);
  expect(probeBody.parse({ input: 'a', parameters: { ar: 48_000 } })).toMatchObject({ parameters: { ar: '48000' } });
  expect(errorsOf({ ...good, parameters: { crf: Number.NaN, map: [true] } })).toMatchObject([
    { field: '/parameters/crf', code: 'WRONG_TYPE' },
    { field: '/parameters/map/0', code: 'WRONG_TYPE' },
  ]);
});

test('answers one value where a list belongs with the list, and a list of one with the value', () => {
  expect(errorsOf({ output: 'c.mp4', inputs: 'a.mp4' })).toMatchObject([
    { field: '/inputs', code: 'WRONG_TYPE', fix: 'Send "inputs": ["a.mp4"].' },
  ]);
  expect(errorsOf({ output: 'c.mp4', input: ['a.mp4'] })).toMatchObject([{ field: '/input', fix: 'Send "a.mp4".' }]);
  expect(errorsOf({ input: 'a', outputs: ['b.mp4'] })).toMatchObject([
    { field: '/outputs/0', fix: 'Send {"output":"b.mp4"}.' },
  ]);
});

test.each([
  { input: ['https://u:secret@host/a.mp4?sig=secret'] },
  { input: ['a.mp4', ' ftp://u:secret@host/a.mp4'] },
  { inputs: 'https:/u:secret@host/a.mp4' },
  { command: 'ffmpeg -i https://u:secret@host/a.mp4 b.mp4' },
])('does not repeat the URL in %j, which may contain a secret', (sent) => {
  expect(JSON.stringify(errorsOf({ output: 'c.mp4', ...sent }))).not.toContain('secret');
});

test('answers an unknown field with the closest and all known fields', () => {
  expect(errorsOf({ ...good, parametres: {} })).toMatchObject([
    { field: '/parametres', fix: 'Send "parameters".', allowed: expect.arrayContaining(['input', 'output', 'llmId']) },
  ]);
  expect(errorsOf({ output: 'b', inputs: [{ input: 'a', durations: '1' }] })).toMatchObject([
    { field: '/inputs/0/durations', fix: 'Send "duration".' },
  ]);
});

test('accepts 100 options and rejects 101; options of inputs and members of lists count', () => {
  const options = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`o${i}`, '1']));
  const body = (count: number) => ({
    output: 'b',
    inputs: [{ input: 'a', parameters: { ss: '1', t: '2' } }],
    parameters: { ...options(count), map: ['0', '1', '2'] },
  });
  expect(errorsOf(body(95))).toEqual([]);
  expect(errorsOf(body(96))).toMatchObject([{ field: '/parameters', code: 'TOO_MANY' }]);
  expect(errorsOf({ ...body(96), input: '', target: 'c' }).map(({ field }) => field)).toEqual(
    expect.arrayContaining(['/target', '/input', '/inputs', '/parameters']),
  );
});

test('accepts 100 inputs and rejects 101', () => {
  const inputs = (count: number) => ({ output: 'b', inputs: Array.from({ length: count }, () => 'a') });
  expect(errorsOf(inputs(100))).toEqual([]);
  expect(errorsOf(inputs(101))).toMatchObject([{ field: '/inputs', code: 'TOO_MANY' }]);
});

test('llmId has 1 to 200 characters on one line, and is required for models', () => {
  expect(errorsOf({ ...good, llmId: 'x'.repeat(200) })).toEqual([]);
  for (const llmId of ['', 'x'.repeat(201), 'two\nlines']) expect(errorsOf({ ...good, llmId })).toHaveLength(1);
  expect(errorsOf(good, llmConversionBody)).toMatchObject([{ field: '/llmId', code: 'MISSING' }]);
});

test('reports one more of ten thousand errors than a reply has', () => {
  const parameters = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`o${i}`, null]));
  expect(errorsOf({ ...good, parameters })).toHaveLength(MAX_FIELD_ERRORS + 1);
});

test('metadata is flat, of strings, with short names and at most 2048 bytes', () => {
  const sent = (metadata: unknown) => errorsOf({ ...good, metadata });
  expect(sent({})).toEqual([]);
  expect(sent({ order: 'A-1042', 'shop.id:2': '' })).toEqual([]);
  expect(sent({ text: 'x'.repeat(2037) })).toEqual([]);
  expect(sent({ text: 'x'.repeat(2038) })).toMatchObject([{ field: '/metadata', code: 'TOO_LONG' }]);
  expect(sent({ text: 'ü'.repeat(1019) })).toMatchObject([{ field: '/metadata', code: 'TOO_LONG' }]);
  expect(sent({ order: 23 })).toMatchObject([{ field: '/metadata/order', code: 'WRONG_TYPE', fix: 'Send "23".' }]);
  expect(sent({ 0: 23 })).toMatchObject([{ field: '/metadata/0', code: 'WRONG_TYPE', fix: 'Send "23".' }]);
  expect(sent({ order: { id: 'x' } })).toMatchObject([{ field: '/metadata/order', code: 'WRONG_TYPE' }]);
  expect(sent({ 'two words': 'x' })).toMatchObject([{ field: '/metadata/two words', code: 'INVALID_NAME' }]);
  expect(sent({ '': 'x' })).toMatchObject([{ code: 'INVALID_NAME' }]);
  expect(sent('order=1')).toMatchObject([{ field: '/metadata', code: 'WRONG_TYPE' }]);
});

test('answers two fields of which a request takes one', () => {
  const messagesOf = (body: object) => errorsOf({ input: 'a', ...body }).map(({ field, message }) => [field, message]);
  expect(messagesOf({ output: 'b.mp4', outputs: [{ output: 'c.jpg' }] })).toEqual([
    ['/outputs', '"output" and "outputs" are both set.'],
  ]);
  expect(messagesOf({ output: 'b.mp4', inputs: ['c.mov'] })).toEqual([
    ['/inputs', '"input" and "inputs" are both set.'],
  ]);
  expect(messagesOf({})).toEqual([['/output', '"output", the path of the new file, is missing.']]);
  expect(errorsOf({ input: 'a', outputs: [{ path: 'b.mp4' }] })).toMatchObject([
    { field: '/outputs/0/path', fix: 'Send "output".' },
  ]);
});

test('answers texts where numbers, booleans and lists belong with the same value', () => {
  const fixOf = (name: string, value: unknown) => errorsOf({ ...good, [name]: value }).map(({ fix }) => fix);
  expect(fixOf('expiresAfterSeconds', '604800')).toEqual(['Send 604800.']);
  expect(fixOf('expiresAfterSeconds', 'soon')).toEqual(['Send, for example, 86400.']);
  expect(fixOf('priority', '5')).toEqual(['Send 5.']);
  expect(fixOf('strict', 'true')).toEqual(['Send true.']);
  expect(fixOf('after', '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10')).toEqual([
    'Send "after": ["0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10"].',
  ]);
  expect(errorsOf({ path: 'a.mp4', maxBytes: '10000000', expiresIn: 60 }, newShareBody)).toMatchObject([
    { field: '/maxBytes', fix: 'Send 10000000.' },
    { field: '/expiresIn', fix: 'Send "seconds".' },
  ]);
  expect(errorsOf({ input: 'a.mp4', metrics: ['loudness'] }, analysisBody)).toMatchObject([
    { field: '/metrics', fix: 'Send "measure".' },
  ]);
  expect(errorsOf({ input: 'a.mp4', measure: { silence: {}, loudness: true } }, analysisBody)).toMatchObject([
    { field: '/measure', code: 'WRONG_TYPE', fix: 'Send, for example, ["loudness","silence"].' },
  ]);
});

test('answers other words for fields and values with the name', () => {
  const fixes = (body: object, schema?: z.ZodType) =>
    errorsOf(body, ...(schema === undefined ? [] : [schema])).map(({ field, fix }) => [field, fix]);
  expect(fixes({ ...good, expiresAfterSeconds: 0 })).toEqual([['/expiresAfterSeconds', 'Send 60, or more.']]);
  expect(fixes({ jobs: [good] }, batchBody)).toEqual([['/jobs', 'Send "requests".']]);
  expect(fixes({ requests: [{ ...good, id: 'a' }] }, batchBody)).toEqual([['/requests/0/id', 'Send "name".']]);
  expect(fixes({ filename: 'a.mp4' }, newShareBody)).toEqual([['/filename', 'Send "path".']]);
  expect(fixes({ input: 'a.mp4', measure: ['lufs'] }, analysisBody)).toEqual([['/measure/0', 'Send "loudness".']]);
  const settings = { silence: { threshold: -50, duration: 1 } };
  expect(fixes({ input: 'a', measure: ['silence'], settings }, analysisBody)).toEqual([
    ['/settings/silence/threshold', 'Send "noiseDb".'],
    ['/settings/silence/duration', 'Send "minSeconds".'],
  ]);
});

test.each([null, 'b.mp4', 5, [], {}])('answers %j beside one output without a fault', (other) => {
  expect(errorsOf({ ...good, outputs: other }).length).toBeGreaterThan(0);
  expect(errorsOf({ ...good, inputs: other }).length).toBeGreaterThan(0);
  expect(errorsOf({ input: other, inputs: ['a'], output: other, outputs: [{ output: 'b' }] }).length).toBeGreaterThan(
    0,
  );
});

test('the schema accepts each plain request as it is', () => {
  const { formatLength, optionNameLength, optionValueLength, options } = REQUEST_LIMITS;
  const lengths = [0, 1, 2, formatLength, optionNameLength, optionValueLength].flatMap((length) => [
    length,
    length + 1,
  ]);
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom(...lengths).map((length) => 'x'.repeat(length)),
  );
  const odd = fc.constantFrom(null, true, 23, ['a'], [], {}, undefined);
  const value = fc.oneof({ weight: 9, arbitrary: text }, odd);
  const name = fc.oneof(text, fc.constantFrom('c:v', 'crf', '__proto__', 'constructor'));
  const manyOptions = fc
    .constantFrom(options, options + 1)
    .map((count) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`o${index}`, ''])));
  const path = fc.oneof({ weight: 9, arbitrary: text }, odd);
  const parameters = fc.oneof(fc.dictionary(name, value, { maxKeys: 4 }), manyOptions, odd);
  const plainFields = fc.record(
    { input: path, output: path, format: value, parameters },
    { requiredKeys: ['input', 'output'] },
  );
  const others = fc.record(
    { inputs: value, preset: value, strict: fc.boolean(), unknown: value },
    { requiredKeys: [] },
  );
  const body = fc
    .tuple(plainFields, fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, others))
    .map(([fields, more]) => ({ ...fields, ...more }));
  let plain = 0;
  fc.assert(
    fc.property(body, (one) => {
      const sent: unknown = JSON.parse(JSON.stringify(one));
      if (!isPlainConversion(sent)) return;
      plain += 1;
      expect(conversionBody.parse(sent)).toEqual(sent);
    }),
    { numRuns: sampledRuns(3000) },
  );
  expect(plain).toBeGreaterThan(sampledRuns(20));
});

test('takes requests without rare fields as plain', () => {
  expect(isPlainConversion({ ...good, format: 'mp4', parameters: { 'c:v': 'libx264' } })).toBe(true);
  expect(isPlainConversion({ ...good, parameters: { map: ['0:v', '0:a'] } })).toBe(true);
  expect(isPlainConversion({ ...good, parameters: { map: [] } })).toBe(false);
  expect(isPlainConversion({ ...good, strict: true })).toBe(false);
});
