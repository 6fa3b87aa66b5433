import { expect, test } from 'vitest';
import { convertedPart } from './converted-part.ts';

const FILM = 60;

test.each([
  ['nothing', {}, {}, [0, 60, 0]],
  ['a start and an end of the input', { ss: '0:10', to: '0:25.5' }, {}, [10, 25.5, 10]],
  ['a start and a length of the input', { ss: '10', t: '5', to: '12' }, {}, [10, 15, 10]],
  ['an end after that of the input', { ss: '50', t: '20' }, {}, [50, 60, 50]],
  ['a time before the end', { sseof: '-10.1' }, {}, [49.9, 60, 49.9]],
  ['a time before the end for all inputs', {}, { sseof: '-10' }, [50, 60, 50]],
  ['a length from a time before the end', { sseof: '-10', t: '4' }, {}, [50, 54, 50]],
  ['an end beside a time before the end, which is a length', { sseof: '-10', to: '4' }, {}, [50, 54, 50]],
  ['a time before the end beside a start, which is stronger', { ss: '5', sseof: '-10' }, {}, [5, 60, 5]],
  ['a time before the end of a longer film', { sseof: '-70' }, {}, [0, 60, 0]],
  ['a start and an end of the output', {}, { ss: '10', to: '15' }, [10, 15, 0]],
  ['an end of the output alone', {}, { to: '15' }, [0, 15, 0]],
  ['starts of both, which add up', { ss: '10', to: '50' }, { ss: '5', t: '20' }, [15, 35, 10]],
  ['an end of the output, which counts from the start of the input', { ss: '10' }, { to: '20' }, [10, 30, 10]],
  ['the times of the film', { ss: '10' }, { copyts: '' }, [10, 60, 0]],
  ['the times of the film, also for the end of the output', { ss: '10' }, { copyts: 'true', to: '20' }, [10, 20, 0]],
  ['the times of the film and a start of the output', { ss: '10' }, { copyts: '', ss: '20' }, [20, 60, 0]],
  ['a flag that is switched off', { ss: '10' }, { copyts: 'false' }, [10, 60, 10]],
  ['words in place of times', { ss: 'soon', t: 'long' }, {}, [0, 60, 0]],
])('%s chooses a part of a film of a minute', (_what, input, output, [start, end, filterStart]) => {
  expect(convertedPart({ input, output, duration: FILM })).toEqual({ start, end, filterStart });
});

test('of a film of unknown length, a part has no end, and does not count from the end', () => {
  expect(convertedPart({ input: { ss: '10' } })).toEqual({ start: 10, end: undefined, filterStart: 10 });
  expect(convertedPart({ input: { sseof: '-10', t: '5' } })).toEqual({ start: 0, end: 5, filterStart: 0 });
});
