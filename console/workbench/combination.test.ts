import type { Recipe } from '@telecine/client';
import { expect, test } from 'vitest';
import { changeDraft } from './change-draft.ts';
import { combinationOf, missingInputs, type OutputNames, requestsFromDraft } from './combination.ts';
import { type Draft, EMPTY_DRAFT } from './draft.ts';
import { NO_WORDS } from './output-words.ts';

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

/** The sources of a draft, of which the first has options. */
const withRows = (draft: Draft, options: Readonly<Record<string, string>>): Draft => ({
  ...draft,
  inputs: draft.inputs.map((input, index) => (index === 0 ? { ...input, rows: rowsOf(options) } : input)),
});
const rowsOf = (options: Readonly<Record<string, string>>) =>
  Object.entries(options).map(([name, value]) => ({ id: name, name, value }));
const namesOf = (draft: Draft, names: OutputNames = { extension: 'mp4' }) =>
  requestsFromDraft(draft, 'each', names).map(({ output }) => output);

test.each<[Readonly<Record<string, string>>, Readonly<Record<string, string>>, string]>([
  [{ ss: '11.400', to: '1:14.24' }, {}, 'b-11.4s-1m14.24s.mp4'],
  [{ ss: '1500ms', t: '3' }, {}, 'b-1.5s-4.5s.mp4'],
  [{}, { ss: '2' }, 'b-from-2s.mp4'],
  // The end of an output counts from the start of its input.
  [{ ss: '10' }, { to: '5' }, 'b-10s-15s.mp4'],
  [{ t: '3', to: '9' }, {}, 'b-to-3s.mp4'],
  [{ sseof: '-3' }, {}, 'b-converted.mp4'],
  [{ ss: '../x' }, {}, 'b-converted.mp4'],
])('with the options %o of the source and %o, the output is %s', (source, all, output) => {
  expect(namesOf({ ...withRows(ONE, source), rows: rowsOf(all) })).toEqual([output]);
});

test('a part is in the name after the values of the recipe, unless the recipe takes times, and of its own source only', () => {
  const cut = { ss: '2', to: '5' };
  const words = { values: '720p', instead: 'resize' };
  expect(namesOf(withRows(ONE, cut), { extension: 'mp4', words })).toEqual(['b-720p-2s-5s.mp4']);
  expect(namesOf(withRows(ONE, cut), { extension: 'gif', words: NO_WORDS, hasTimes: true })).toEqual(['b.gif']);
  expect(namesOf(withRows(VIDEOS, cut))).toEqual(['a/x-2s-5s.mp4', 'a/x.mp4', 'b-converted.mp4']);
  const first = { ...VIDEOS, inputs: VIDEOS.inputs.slice(0, 2) };
  const [together] = requestsFromDraft(withRows(first, cut), 'together', { extension: 'mp4' });
  expect(together?.output).toBe('a/x.mp4');
});
