import type { ConversionRequest, Recipe } from '@telecine/client';
import { expect, test } from 'vitest';
import { partToRecipe, partToSource } from './carry-part.ts';
import { changeDraft } from './change-draft.ts';
import { combinationOf } from './combination.ts';
import type { Draft } from './draft.ts';
import { draftFromRequest } from './draft-from-request.ts';
import { requestFromDraft } from './request-from-draft.ts';

const DURATION = 30;
const time = (more: object = {}) => ({ type: 'time' as const, description: 'When.', ...more });

const recipe = (name: string, parameters: Record<string, string>, more: Partial<Recipe> = {}): Recipe =>
  ({
    name,
    inputs: [{ role: 'film', description: 'A video.', parameters }],
    arguments: {
      start: time({ default: '0' }),
      end: time(),
      length: time({ default: '5' }),
      at: time({ share: true }),
    },
    request: { parameters: {} },
    ...more,
  }) as unknown as Recipe;

const GIF = recipe('gif', { ss: '{{start}}', t: '{{length}}' });
const CUT = recipe('cut', { ss: '{{start}}', to: '{{end}}' });
const POSTER = recipe(
  'poster',
  { ss: '{{at}}' },
  { request: { parameters: { 'frames:v': '1' } } as unknown as Recipe['request'] },
);
const WHOLE = recipe('web', {});
const FIXED = recipe('teaser', { ss: '10', t: '3' });

const sourceOf = (draft: Draft, to: Recipe) => ({ seconds: DURATION, isEach: combinationOf(draft, to) === 'each' });

type Settings = Omit<ConversionRequest, 'output'>;

/** The request after a person has gone from one recipe to others. */
function after(request: Settings, [from, ...next]: readonly Recipe[]): Settings {
  let draft = changeDraft(draftFromRequest({ output: 'b.mp4', ...request }), { do: 'combine', combination: 'each' });
  let now = from;
  for (const to of next) {
    if (now !== undefined) draft = partToSource(draft, now, sourceOf(draft, now)).reduce(changeDraft, draft);
    draft = changeDraft(draft, { do: 'choose-recipe', name: to.name });
    draft = partToRecipe(draft, to, sourceOf(draft, to)).reduce(changeDraft, draft);
    now = to;
  }
  const { output: _, ...changed } = requestFromDraft(draft);
  return changed;
}

const gif = (values: Record<string, string>): Settings => ({
  input: 'a.mov',
  preset: { name: 'gif', arguments: values },
});
const FOUND = gif({ start: '11', length: '3' });

test('a part that was found with one recipe is that of the next one', () => {
  expect(after(FOUND, [GIF, CUT])).toEqual({
    input: 'a.mov',
    preset: { name: 'cut', arguments: { start: '11', end: '14' } },
  });
  expect(after(FOUND, [GIF, CUT, GIF])).toEqual(FOUND);
});

test('without a recipe, options of the source choose the part', () => {
  const draft = draftFromRequest({ output: 'b.mp4', ...FOUND });
  const without = changeDraft(partToSource(draft, GIF, sourceOf(draft, GIF)).reduce(changeDraft, draft), {
    do: 'choose-recipe',
    name: undefined,
  });
  expect(requestFromDraft(without)).toMatchObject({ inputs: [{ input: 'a.mov', parameters: { ss: '11', to: '14' } }] });
});

test('a recipe that has no part of its own reads the part of the source, which goes on to the next recipe', () => {
  expect(after(FOUND, [GIF, WHOLE])).toEqual({
    inputs: [{ input: 'a.mov', parameters: { ss: '11', to: '14' } }],
    preset: { name: 'web' },
  });
  expect(after(FOUND, [GIF, WHOLE, GIF])).toEqual(FOUND);
});

test('a recipe for one image takes the start, and the end comes back with the next recipe', () => {
  expect(after(FOUND, [GIF, POSTER])).toMatchObject({ preset: { name: 'poster', arguments: { at: '11' } } });
  expect(after(FOUND, [GIF, POSTER, CUT]).preset).toEqual({ name: 'cut', arguments: { start: '11', end: '14' } });
});

test('a source of which no part was chosen stays whole, and an open end stays that of the recipe', () => {
  const { preset: _, ...whole } = gif({});
  expect(after({ ...whole, preset: { name: 'gif' } }, [GIF, CUT])).toEqual({ ...whole, preset: { name: 'cut' } });
  const cut = (values: Record<string, string>) => ({ ...whole, preset: { name: 'cut', arguments: values } });
  expect(after(cut({ start: '11' }), [CUT, GIF])).toEqual(gif({ start: '11' }));
});

test('a recipe that decides the part itself leaves the options of the source as they are', () => {
  expect(after(FOUND, [GIF, FIXED]).inputs).toEqual([{ input: 'a.mov', parameters: { ss: '11', to: '14' } }]);
});

test('a part of all sources stays that of all', () => {
  const both = { ...FOUND, input: undefined, inputs: ['a.mov', 'b.mov'] } as unknown as Settings;
  const part = { ss: '11', to: '14' };
  expect(after(both, [GIF, WHOLE]).inputs).toEqual([
    { input: 'a.mov', parameters: part },
    { input: 'b.mov', parameters: part },
  ]);
  expect(after(both, [GIF, WHOLE, GIF])).toMatchObject({ inputs: ['a.mov', 'b.mov'], preset: FOUND.preset });
});
