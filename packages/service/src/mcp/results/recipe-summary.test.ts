import { expect, test } from 'vitest';
import { BUILT_IN } from '../../recipes/built-in/all.ts';
import { describeRecipe } from './recipe-summary.ts';

test('an input that can only be an argument is among the arguments', () => {
  const slideshow = BUILT_IN.find(({ name }) => name === 'slideshow');
  if (slideshow === undefined) throw new Error('The recipe "slideshow" is missing.');
  const { inputs, arguments: own } = describeRecipe({ ...slideshow, source: 'built-in' });
  expect(inputs).toContain('music (optional, in arguments)');
  expect(own).toMatchObject({ music: 'path of a file, optional. An audio file that plays meanwhile.' });
});

test('a recipe that reads one sound says how to take another one of the file', () => {
  const inputsOf = (wanted: string) =>
    BUILT_IN.filter(({ name }) => name === wanted).map((one) => describeRecipe({ ...one, source: 'built-in' }).inputs);
  expect(inputsOf('mp3')).toEqual(['sound (one of several: "parameters": {"map": "0:a:1"} for the second)']);
  expect(inputsOf('waveform')).toEqual(['sound']);
});
