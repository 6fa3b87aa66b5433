import type { Recipe } from '@telecine/client';
import { expect, test } from 'vitest';
import { changeDraft } from '../workbench/change-draft.ts';
import { exampleRequest, hasFiles, trialDraft, trialRequest, warningsOfTrial } from './trial.ts';

const RECIPE: Recipe = {
  ...{ name: 'house-style', source: 'own', version: 1, title: 'House style', description: 'Ours.', words: [] },
  inputs: [
    { role: 'film', description: 'A film.' },
    { role: 'logo', description: 'A logo.' },
    { role: 'music', description: 'Music.', optional: true },
  ],
  outputs: ['mp4'],
  arguments: {
    height: { type: 'number', min: 16, max: 4320, default: 540, description: 'The height.' },
    size: { type: 'number', min: 1, max: 9, required: true, description: 'Megabytes.' },
    text: { type: 'text', maxLength: 20, description: 'A text.' },
  },
  request: { parameters: {} },
};

test('a trial has a file for each input that the recipe needs, and stands in for those that are not chosen', () => {
  const trial = trialDraft(RECIPE, 'house-style', 'in/film.mov');
  expect(hasFiles(trial)).toBe(false);
  expect(trialRequest(RECIPE, 'house-style', trial)).toEqual({
    inputs: ['in/film.mov', 'example2.mov'],
    output: 'in/film.mp4',
    preset: { name: 'house-style' },
  });
});

test('a trial sends the values of the arguments that the recipe still has', () => {
  let trial = trialDraft(RECIPE, 'house-style');
  for (const [name, value] of [
    ['height', '720'],
    ['gone', '1'],
  ] as const)
    trial = changeDraft(trial, { do: 'set-argument', name, value });
  expect(trialRequest(RECIPE, 'other', trial).preset).toEqual({ name: 'other', arguments: { height: '720' } });
});

test('a program sees each argument that it can or must send', () => {
  expect(exampleRequest(RECIPE, 'house-style', trialDraft(RECIPE, 'house-style'))).toEqual({
    inputs: ['in/film.mov', 'in/logo'],
    output: 'in/film.mp4',
    preset: { name: 'house-style', arguments: { height: 540, size: 1 } },
  });
});

test('a program and a trial write the same output', () => {
  let trial = trialDraft({ inputs: RECIPE.inputs.slice(0, 1) }, 'house-style', 'talks/panel.mp4');
  trial = changeDraft(trial, { do: 'set-argument', name: 'height', value: '240' });
  const one = { ...RECIPE, inputs: RECIPE.inputs.slice(0, 1) };
  expect(trialRequest(one, 'house-style', trial).output).toBe('talks/panel-240p.mp4');
  expect(exampleRequest(one, 'house-style', trial).output).toBe('talks/panel-240p.mp4');
});

test('a folder that is typed before the name of a file is not a file', () => {
  const trial = trialDraft({ inputs: RECIPE.inputs.slice(0, 1) }, 'house-style', 'talks/');
  expect(hasFiles(trial)).toBe(false);
  expect(trialRequest(RECIPE, 'house-style', trial)).toMatchObject({ input: 'example.mov', output: 'example.mp4' });
});

test('a trial warns about the recipe, and not about files that it does not write or read', () => {
  const warnings = ['OUTPUT_EXISTS', 'INPUT_NOT_FOUND', 'NO_EFFECT'].map((code) => ({ code, message: code }));
  const codes = (isOfFiles: boolean) => warningsOfTrial(warnings, isOfFiles).map(({ code }) => code);
  expect(codes(false)).toEqual(['NO_EFFECT']);
  expect(codes(true)).toEqual(['INPUT_NOT_FOUND', 'NO_EFFECT']);
});
