import type { Recipe } from '@telecine/client';
import { expect, test } from 'vitest';
import { changeDraft } from './change-draft.ts';
import { combinationOf, missingInputs, type OutputNames, requestsFromDraft } from './combination.ts';
import { type Draft, EMPTY_DRAFT } from './draft.ts';

const VIDEOS = changeDraft(EMPTY_DRAFT, { do: 'add-inputs', paths: ['a/x.mov', 'a/x.avi', 'b.mp4'] });
const ONE = changeDraft(EMPTY_DRAFT, { do: 'add-inputs', paths: ['b.mp4'] });
const recipe = (...inputs: readonly Partial<Recipe['inputs'][number]>[]) => ({ inputs }) as unknown as Recipe;

test('several files are converted each by itself, with names of their own', () => {
  expect(combinationOf(VIDEOS, undefined)).toBe('each');
  expect(requestsFromDraft(VIDEOS, 'each', { extension: 'mp4' })).toEqual([
    { input: 'a/x.mov', output: 'a/x.mp4' },
    { input: 'a/x.avi', output: 'a/x-2.mp4' },
    { input: 'b.mp4', output: 'b-converted.mp4' },
  ]);
});

test('the sources of a job of another client stay one job', () => {
  const retry = { ...VIDEOS, retries: { jobId: 'j', client: 'shop' } };
  expect(combinationOf(retry, undefined)).toBe('together');
  expect(combinationOf(changeDraft(retry, { do: 'combine', combination: 'each' }), undefined)).toBe('together');
  expect(combinationOf({ ...VIDEOS, retries: { jobId: 'j' } }, undefined)).toBe('each');
});

test('several requests are new jobs, which do not wait for the jobs of a retry nor report to its hidden callback', () => {
  const others = { after: ['0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e11'], callbackUrl: 'https://shop.example/?(hidden)' };
  const retry = { ...VIDEOS, others, retries: { jobId: 'j' } };
  expect(requestsFromDraft(retry, 'each', { extension: 'mp4' })).toEqual(
    requestsFromDraft(VIDEOS, 'each', { extension: 'mp4' }),
  );
  expect(requestsFromDraft(retry, 'together', { extension: 'mp4' })).toMatchObject([others]);
  // Without a retry, these are the user's own.
  const own = { ...VIDEOS, others: { after: others.after } };
  expect(requestsFromDraft(own, 'each', { extension: 'mp4' })[2]).toMatchObject(own.others);
});

test('they are joined, or inputs of one conversion, if that is chosen', () => {
  const joined = changeDraft(VIDEOS, { do: 'combine', combination: 'join' });
  expect(combinationOf(joined, undefined)).toBe('join');
  expect(requestsFromDraft(joined, 'join', { extension: 'mp4' })).toEqual([
    { inputs: ['a/x.mov', 'a/x.avi', 'b.mp4'], join: 'encode', output: 'a/x.mp4' },
  ]);
  const together = changeDraft(joined, { do: 'combine', combination: 'together' });
  expect(combinationOf(together, undefined)).toBe('together');
  expect(requestsFromDraft(together, 'together', { extension: 'mp4' })[0]).not.toHaveProperty('join');
  expect(combinationOf(changeDraft(together, { do: 'combine', combination: 'each' }), undefined)).toBe('each');
});

test('a recipe that reads several files gets all of them', () => {
  expect(combinationOf(VIDEOS, recipe({ role: 'film' }))).toBe('each');
  expect(combinationOf(VIDEOS, recipe({ role: 'film' }, { role: 'sound' }))).toBe('together');
  expect(combinationOf(VIDEOS, recipe({ role: 'film', many: true }))).toBe('together');
  expect(combinationOf(ONE, undefined)).toBe('together');
});

test('a recipe names the files that it still needs', () => {
  const [film, logo, font] = [{ role: 'film' }, { role: 'logo' }, { role: 'font', optional: true as const }];
  const burns = recipe(film, logo, font);
  expect(missingInputs(burns, 1)).toEqual([logo, font]);
  expect(missingInputs(burns, 3)).toEqual([]);
  expect(missingInputs(recipe(film), 0)).toEqual([]);
  expect(missingInputs(undefined, 0)).toEqual([]);
});

test('the list of inputs of a request stays together, also after a fix', () => {
  const opened = changeDraft(EMPTY_DRAFT, {
    do: 'open-request',
    request: { inputs: ['a.mov', 'b.srt'], output: 'c.mkv' },
  });
  expect(combinationOf(opened, undefined)).toBe('together');
  expect(combinationOf(changeDraft(VIDEOS, { do: 'apply-patch', patch: [] }), undefined)).toBe('each');
});

test('names avoid what earlier jobs have written', () => {
  const names = { extension: 'mp4', words: { values: '720p', instead: 'resize' }, taken: new Set(['b-720p.mp4']) };
  expect(requestsFromDraft(ONE, 'together', names)).toEqual([{ input: 'b.mp4', output: 'b-720p-2.mp4' }]);
  expect(requestsFromDraft(VIDEOS, 'each', names).map(({ output }) => output)).toEqual([
    'a/x-720p.mp4',
    'a/x-720p-2.mp4',
    'b-720p-2.mp4',
  ]);
});

test('a part of a source is in the name of its output, after the values of the recipe', () => {
  const part = [
    { id: 'a', name: 'ss', value: '11.400' },
    { id: 'b', name: 'to', value: '1:14.24' },
  ];
  const cut = (draft: Draft, names: OutputNames = { extension: 'mp4' }) =>
    requestsFromDraft(
      { ...draft, inputs: draft.inputs.map((input, index) => (index === 0 ? { ...input, rows: part } : input)) },
      'each',
      names,
    ).map(({ output }) => output);
  expect(cut(ONE)).toEqual(['b-11.4s-1m14.24s.mp4']);
  expect(cut(ONE, { extension: 'mp4', words: { values: '720p', instead: 'resize' } })).toEqual([
    'b-720p-11.4s-1m14.24s.mp4',
  ]);
  // The others are read whole.
  expect(cut(VIDEOS).filter((output) => output?.includes('11.4s'))).toHaveLength(1);
});
