import { conversionArguments } from '@telecine/contract/wire/conversion.ts';
import { expect, test } from 'vitest';
import { coerceArguments } from './coerce-arguments.ts';
import { findRecipeTool } from './tools/find-recipe.ts';
import { getJobTool, waitForJobTool } from './tools/job-tools.ts';

const meant = (args: unknown): unknown => coerceArguments(conversionArguments, args, 'convert_media');

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

test('an object around the arguments is removed', () => {
  const call = { input: 'a.mp4', output: 'b.mp4' };
  expect(meant({ arguments: call })).toEqual(call);
  expect(meant({ name: 'convert_media', arguments: JSON.stringify(call) })).toEqual(call);
  expect(meant({ params: call, dryRun: true })).toEqual({ ...call, dryRun: true });
  expect(coerceArguments(getJobTool.input, { input: { jobId: 'a' } }, 'get_job')).toEqual({ jobId: 'a' });
  const wait = { args: { jobId: 'a', timeoutSeconds: '5' } };
  expect(coerceArguments(waitForJobTool.input, wait, 'wait_for_job')).toEqual({ jobId: 'a', timeoutSeconds: 5 });
});

test('an object that may mean something else stays', () => {
  const options = { input: 'a.mp4', output: 'b.mp4', args: { 'c:v': 'libx264' } };
  expect(meant(options)).toEqual(options);
  const recipe = { name: 'gif', arguments: { fps: 10 } };
  expect(coerceArguments(findRecipeTool.input, recipe, 'find_recipe')).toEqual(recipe);
  const preset = { input: 'a.mp4', output: 'b.mp4', name: 'web-h264', arguments: {} };
  expect(meant(preset)).toEqual(preset);
  const empty = { input: 'a.mp4', output: 'b.mp4', arguments: {} };
  expect(meant(empty)).toEqual(empty);
});

test('the name of the tool beside its arguments is none of them, also where the tool has a "name"', () => {
  const call = (args: object) => ({ name: 'find_recipe', arguments: args });
  const found = (args: unknown) => coerceArguments(findRecipeTool.input, args, 'find_recipe');
  expect(found(call({ query: 'gif' }))).toEqual({ query: 'gif' });
  expect(found(call({ name: 'gif' }))).toEqual({ name: 'gif' });
  expect(found({ name: 'gif' })).toEqual({ name: 'gif' });
});
