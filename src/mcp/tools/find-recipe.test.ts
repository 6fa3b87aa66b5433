import { expect, test } from 'vitest';
import { BUILT_IN } from '../../recipes/built-in/all.ts';
import { describeRecipe } from './find-recipe.ts';

test('an input that can only be an argument is among the arguments', () => {
  const slideshow = BUILT_IN.find(({ name }) => name === 'slideshow');
  if (slideshow === undefined) throw new Error('The recipe "slideshow" is missing.');
  const { inputs, arguments: own } = describeRecipe({ ...slideshow, source: 'built-in' });
  expect(inputs).toContain('music (optional, in arguments)');
  expect(own).toMatchObject({ music: 'path of a file, optional. A sound that plays meanwhile.' });
});
