import { expect, test } from 'vitest';
import { measurementTexts, optionTexts, timesInSeconds } from './option-texts.ts';

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

test.each([
  ['500ms', 0.5],
  ['0.3ms', 0.0003],
  ['1.5s', 1.5],
  ['0.4 s', 0.4],
  ['12 sec', 12],
  ['1 second', 1],
  ['250 milliseconds', 0.25],
  ['2m', 120],
  ['1.5 min', 90],
  ['2 minutes', 120],
  ['1h', 3600],
  ['2 hours', 7200],
  ['00:01:30', 90],
])('the time "%s" is %d seconds', (time, seconds) => {
  expect(timesInSeconds({ at: time })).toEqual({ at: [seconds] });
  expect(measurementTexts({ ss: time })).toEqual({ ss: String(seconds) });
});

test.each(['2 months', '3 sheep', '5 meters', '10 hz', '1 windows', '5 us'])(
  'the unit of "%s" is unknown, so the schema rejects it',
  (time) => {
    expect(timesInSeconds({ at: time })).toEqual({ at: [time] });
    expect(measurementTexts({ t: time })).toEqual({ t: time });
  },
);
