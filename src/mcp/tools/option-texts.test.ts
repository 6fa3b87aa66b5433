import { expect, test } from 'vitest';
import { optionTexts } from './option-texts.ts';

test('numbers and booleans in parameters become their texts, also in those of inputs', () => {
  const inputs = ['a.mp4', { input: 'b.mp4', parameters: { ss: 1.5 } }, 7];
  expect(optionTexts({ inputs, output: 'c.mp4', parameters: { crf: 23, an: true, map: [0, '1'] } })).toEqual({
    inputs: ['a.mp4', { input: 'b.mp4', parameters: { ss: '1.5' } }, 7],
    output: 'c.mp4',
    parameters: { crf: '23', an: 'true', map: ['0', '1'] },
  });
});

test('inputs of inputs stay as they are, however deep, so that the schema rejects them', () => {
  let nested: object = { parameters: { crf: 23 } };
  for (let depth = 0; depth < 100_000; depth += 1) nested = { inputs: [nested] };
  const { inputs } = optionTexts(nested) as { readonly inputs: readonly unknown[] };
  expect(inputs[0] === (nested as { readonly inputs: readonly unknown[] }).inputs[0]).toBe(true);
});

test.each([[null], ['text'], [[1]], [7]])('%j is no request, and stays as it is', (value) => {
  expect(optionTexts(value)).toBe(value);
});
