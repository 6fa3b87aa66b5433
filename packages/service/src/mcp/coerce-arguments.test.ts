import { conversionArguments } from '@telecine/contract/wire/conversion.ts';
import { expect, test } from 'vitest';
import { coerceArguments } from './coerce-arguments.ts';
import { waitForJobTool } from './tools/job-tools.ts';

const meant = (args: unknown): unknown => coerceArguments(conversionArguments, args);

test('numbers and booleans stay in parameters, and become texts elsewhere', () => {
  const inputs = ['a.mp4', { input: 'b.mp4', parameters: { ss: 1.5 } }, 7];
  expect(meant({ inputs, output: 'c.mp4', parameters: { crf: 23, an: true, map: [0, '1'] } })).toEqual({
    inputs: ['a.mp4', { input: 'b.mp4', parameters: { ss: 1.5 } }, '7'],
    output: 'c.mp4',
    parameters: { crf: 23, an: true, map: [0, '1'] },
  });
});

test('inputs of inputs stay as they are, however deep, so that the schema rejects them', () => {
  let nested: object = { parameters: { crf: 23 } };
  for (let depth = 0; depth < 100_000; depth += 1) nested = { inputs: [nested] };
  const { inputs } = meant(nested) as { readonly inputs: readonly { readonly inputs: unknown }[] };
  const [sent] = (nested as { readonly inputs: readonly { readonly inputs: unknown }[] }).inputs;
  expect(inputs[0]?.inputs === sent?.inputs).toBe(true);
});

test.each([[null], ['text'], [[1]], [7]])('%j is no request, and stays as it is', (value) => {
  expect(meant(value)).toBe(value);
});

test.each([
  ['a number', { priority: '5' }, { priority: 5 }],
  ['a boolean', { strict: 'true', dryRun: 'False' }, { strict: true, dryRun: false }],
  ['a list', { inputs: '["a.mp4", "b.mp4"]' }, { inputs: ['a.mp4', 'b.mp4'] }],
  ['an object', { parameters: '{"crf": 23}' }, { parameters: { crf: 23 } }],
  ['a number deep inside', { cut: { crossfade: '0.5' } }, { cut: { crossfade: 0.5 } }],
])('the JSON of %s as a text counts as that', (_what, sent, right) => {
  expect(meant(sent)).toEqual(right);
});

test('"True" and "False", as Python writes them, are booleans', () => {
  expect(meant({ strict: 'True', dryRun: 'False' })).toEqual({ strict: true, dryRun: false });
});

test.each([
  [{ priority: 'high' }],
  [{ priority: '5 jobs' }],
  [{ strict: 'maybe' }],
  [{ input: '["a.mp4"]' }],
  [{ parameters: { vf: '[in]scale=640:-2[out]' } }],
  [{ parameters: '{"crf": ' }],
  [{ inputs: `[${'['.repeat(500)}${']'.repeat(500)}]` }],
])('%j stays as it is', (sent) => {
  expect(meant(sent)).toEqual(sent);
});

test.each([
  ['a dash before an option', { '-crf': '23', '-an': '' }, { crf: '23', an: '' }],
  ['a dash before a name that is there too', { '-crf': '23', crf: '24' }, { '-crf': '23', crf: '24' }],
  [
    'a list',
    ['-c:v', 'libx264', '-map', '0:v', '-map', '0:a', '-itsoffset', '-2', '-an'],
    {
      ...{ 'c:v': 'libx264', map: ['0:v', '0:a'], itsoffset: '-2', an: '' },
    },
  ],
  ['a list with a file', ['-crf', '23', 'out.mp4'], ['-crf', '23', 'out.mp4']],
  ['a list without a dash', ['crf', '23'], ['crf', '23']],
])('options with %s are read if they are clear', (_what, parameters, right) => {
  expect(meant({ inputs: [{ input: 'a.mp4', parameters }], parameters })).toEqual({
    inputs: [{ input: 'a.mp4', parameters: right }],
    parameters: right,
  });
});

test('a recipe may be its name', () => {
  expect(meant({ preset: 'web-h264' })).toEqual({ preset: { name: 'web-h264' } });
  expect(meant({ preset: '{"name": "gif"}' })).toEqual({ preset: { name: 'gif' } });
});

test('one value counts as a list of it, but not several in one text', () => {
  const read = (jobIds: unknown) => coerceArguments(waitForJobTool.input, { jobIds });
  expect([read('a'), read('a, b')]).toEqual([{ jobIds: ['a'] }, { jobIds: 'a, b' }]);
});

test('an object around the arguments stays, so that the schema rejects it', () => {
  const wrapped = { arguments: { input: 'a.mp4', output: 'b.mp4' } };
  expect(meant(wrapped)).toEqual(wrapped);
});
