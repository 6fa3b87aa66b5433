import { expect, test } from 'vitest';
import { recipeText } from './recipe-text.ts';

test('a recipe has the title by which it was chosen, and its name if the title is not known', () => {
  const recipes = [{ name: 'compress', title: 'Make a video smaller' }];
  expect(recipeText('compress', recipes)).toBe('Make a video smaller (compress)');
  expect(recipeText('deleted', recipes)).toBe('deleted');
  expect(recipeText('compress')).toBe('compress');
});
