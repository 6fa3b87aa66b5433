import type { ConversionRequest, Recipe } from '@telecine/client';
import { expect, test } from 'vitest';
import { changeDraft } from '../workbench/change-draft.ts';
import { draftFromRequest } from '../workbench/draft-from-request.ts';
import { requestFromDraft } from '../workbench/request-from-draft.ts';
import { withRecipe } from './with-recipe.ts';

const preset = { name: 'target-size', arguments: { size: 8 } };
const roles = [{ role: 'film', description: 'A video.', parameters: { ss: '{{start}}' } }] as Recipe['inputs'];

test('a recipe is applied again, with the options that were sent besides it', () => {
  const done: ConversionRequest = {
    inputs: [{ input: 'a.mov', parameters: { ss: '2', r: '25' } }],
    output: 'b.mp4',
    quality: { target: 0.98 },
    parameters: { 'b:v': '812k', 'b:a': '96k', preset: 'slow' },
    strict: true,
  };
  const parameters = { 'b:v': '812k', 'b:a': '128k', preset: 'slow' };
  expect(withRecipe(done, preset, { parameters, roles })).toEqual({
    inputs: [{ input: 'a.mov', parameters: { r: '25' } }],
    output: 'b.mp4',
    parameters: { 'b:a': '96k' },
    strict: true,
    preset,
  });
});

test('another source gets the recipe of a job, and not the values that the recipe computed for the first source', () => {
  const done: ConversionRequest = {
    inputs: [{ input: 'a.mov', parameters: { ss: '2', r: '25' } }],
    output: 'b.mp4',
    parameters: { 'b:v': '812k' },
  };
  const opened = draftFromRequest(withRecipe(done, preset, { parameters: { 'b:v': '812k' }, roles }));
  const next = changeDraft(changeDraft(opened, { do: 'next-source' }), { do: 'add-inputs', paths: ['c.mov'] });
  expect(requestFromDraft(next, 'c.mp4')).toEqual({
    inputs: [{ input: 'c.mov', parameters: { r: '25' } }],
    output: 'c.mp4',
    preset,
  });
});
