import type { ConversionRequest, Recipe } from '@telecine/client';
import { expect, test } from 'vitest';
import { changeDraft } from './change-draft.ts';
import { draftFromRequest } from './draft-from-request.ts';
import { requestFromDraft } from './request-from-draft.ts';
import { boundsOf, changesForRange, isOfSource, readRange, trimPlace, trimPlaceOfInput } from './trim-place.ts';

const DURATION = 60;
const time = (more: object = {}) => ({ type: 'time' as const, description: 'When.', ...more });

const recipeWith = (parameters: Record<string, string>, more: Partial<Recipe> = {}): Recipe =>
  ({
    name: 'cut',
    inputs: [{ role: 'film', description: 'A video.', parameters }],
    arguments: {
      start: time({ default: '0' }),
      end: time(),
      length: time({ default: '5', min: 0.04, max: 20 }),
      at: time({ share: true }),
    },
    request: { parameters: {} },
    ...more,
  }) as unknown as Recipe;

const TRIM = recipeWith({ ss: '{{start}}', to: '{{end}}' });
const GIF = recipeWith({ ss: '{{start}}', t: '{{length}}' });
const IMAGE = recipeWith(
  { ss: '{{at}}' },
  { request: { parameters: { 'frames:v': '1' } } as unknown as Recipe['request'] },
);

/** The part that a request chooses, and the request after a person has moved both points to 2 and 5 seconds. */
function trimmed(request: Omit<ConversionRequest, 'output'>, recipe?: Recipe, to = { start: 2, end: 5 }) {
  const draft = draftFromRequest({ output: 'b.mp4', ...request });
  const place = trimPlace(draft, recipe);
  if (place === undefined) return undefined;
  const after = changesForRange(place, to, { duration: DURATION, draft }).reduce(changeDraft, draft);
  const { output: _, ...changed } = requestFromDraft(after);
  return { range: readRange(place, draft, DURATION), changed, bounds: boundsOf(place, { duration: DURATION }) };
}

const INPUT = { input: 'a.mov' };
const inputWith = (parameters: Record<string, string>) => ({ inputs: [{ input: 'a.mov', parameters }] });

test('without a recipe, a part is options of the source', () => {
  const whole = trimmed(INPUT);
  expect(whole?.range).toEqual({ start: 0, end: DURATION });
  expect(whole?.changed).toEqual(inputWith({ ss: '2', to: '5' }));
  const part = inputWith({ ss: '10', t: '20', r: '25' });
  expect(trimmed(part)?.range).toEqual({ start: 10, end: 30 });
  expect(trimmed(part)?.changed).toEqual(inputWith({ ss: '2', t: '3', r: '25' }));
});

test('the whole source needs no options', () => {
  expect(trimmed(inputWith({ ss: '10', to: '20' }), undefined, { start: 0, end: DURATION })?.changed).toEqual(INPUT);
});

test('options of the output that choose a part are used, and what they count from', () => {
  expect(trimmed({ ...INPUT, parameters: { ss: '10', to: '0:20' } })).toMatchObject({
    range: { start: 10, end: 20 },
    changed: { ...INPUT, parameters: { ss: '2', to: '5' } },
  });
  const length = { ...inputWith({ ss: '10' }), parameters: { to: '8' } };
  expect(trimmed(length)).toMatchObject({
    range: { start: 10, end: 18 },
    changed: { ...inputWith({ ss: '2' }), parameters: { to: '3' } },
  });
  expect(trimmed({ ...inputWith({ t: '30' }), parameters: { ss: '10' } })?.range).toEqual({ start: 10, end: 30 });
});

test('a recipe gets the part in its arguments: a start with an end or a length', () => {
  const preset = { name: 'cut' };
  expect(trimmed({ ...INPUT, preset }, TRIM)).toMatchObject({
    range: { start: 0, end: DURATION },
    changed: { ...INPUT, preset: { name: 'cut', arguments: { start: '2', end: '5' } } },
  });
  expect(trimmed({ ...INPUT, preset: { name: 'cut', arguments: { start: '1:00', length: 2 } } }, GIF)).toMatchObject({
    range: { start: 60, end: 62 },
    changed: { preset: { arguments: { start: '2', length: '3' } } },
    bounds: { minLength: 0.04, maxLength: 20 },
  });
  expect(trimmed({ ...INPUT, preset }, GIF, { start: 0, end: 5 })?.changed).toEqual({ ...INPUT, preset });
});

test('options of the source win over the arguments of a recipe', () => {
  const both = { ...inputWith({ ss: '3' }), preset: { name: 'cut' } };
  expect(trimmed(both, GIF)).toMatchObject({
    range: { start: 3, end: 8 },
    changed: { ...inputWith({ ss: '2' }), preset: { name: 'cut', arguments: { length: '3' } } },
  });
});

test('only options of the source choose a part of this source alone', () => {
  const isOwn = (request: object, recipe?: Recipe): boolean | undefined => {
    const place = trimPlace(draftFromRequest({ output: 'b.mp4', ...request } as ConversionRequest), recipe);
    return place && isOfSource(place);
  };
  expect(isOwn(INPUT)).toBe(true);
  expect(isOwn({ ...INPUT, parameters: { ss: '10' } })).toBe(false);
  expect(isOwn({ ...inputWith({ ss: '3' }), preset: { name: 'cut' } }, GIF)).toBe(false);
  expect(isOwn({ ...inputWith({ ss: '3', t: '2' }), preset: { name: 'cut' } }, GIF)).toBe(true);
});

test('a time that is typed in another form stays as it is typed', () => {
  const typed = { ...INPUT, preset: { name: 'cut', arguments: { start: '0:02.0' } } };
  expect(trimmed(typed, TRIM)?.changed.preset?.arguments).toEqual({ start: '0:02.0', end: '5' });
});

test('the time of an image is one point', () => {
  const image = trimmed({ ...INPUT, preset: { name: 'cut', arguments: { at: 'middle' } } }, IMAGE);
  expect(image).toMatchObject({ range: { start: 30 }, changed: { preset: { arguments: { at: '2' } } } });
});

test.each([
  ['joined sources', { inputs: ['a.mov', 'b.mov'], join: 'encode' as const }, undefined],
  ['parts in "cut"', { ...INPUT, cut: { keep: [{ start: 1, end: 2 }] } }, undefined],
  ['a start at both sides', { ...inputWith({ ss: '1' }), parameters: { ss: '2' } }, undefined],
  ['a start from the end', inputWith({ sseof: '-5' }), undefined],
  ['a source that is generated', { inputs: [{ source: 'testsrc' }] }, undefined],
  ['a recipe with a fixed start', INPUT, recipeWith({ ss: '10' })],
])('there is no strip for %s', (_what, request, recipe) => {
  expect(trimmed(request, recipe)).toBeUndefined();
});

/** The part that a request chooses of its second source, and its inputs after a person has moved both points to 2 and 5 seconds. */
function trimmedSecond(request: Omit<ConversionRequest, 'output'>, recipe?: Recipe) {
  const draft = draftFromRequest({ output: 'b.mp4', ...request });
  const place = trimPlaceOfInput(draft, recipe, 1);
  if (place === undefined) return undefined;
  const after = changesForRange(place, { start: 2, end: 5 }, { duration: DURATION, draft }).reduce(changeDraft, draft);
  return { range: readRange(place, draft, DURATION), inputs: requestFromDraft(after).inputs };
}

test('one of several sources is read in part by options of its own, also if they are joined', () => {
  const inputs = ['a.mov', 'b.mov'];
  const part = ['a.mov', { input: 'b.mov', parameters: { ss: '2', to: '5' } }];
  for (const join of [undefined, 'encode'] as const)
    expect(trimmedSecond({ inputs, ...(join && { join }) })).toEqual({
      range: { start: 0, end: DURATION },
      inputs: part,
    });
  const own = ['a.mov', { input: 'b.mov', parameters: { ss: '10', t: '20' } }];
  expect(trimmedSecond({ inputs: own })).toEqual({
    range: { start: 10, end: 30 },
    inputs: ['a.mov', { input: 'b.mov', parameters: { ss: '2', t: '3' } }],
  });
});

test('a recipe with several inputs lets each be read in part, unless it sets the times of this input', () => {
  const inputs = ['a.mov', 'b.mov'];
  const roles = (second: object): Recipe =>
    ({ ...TRIM, inputs: [...TRIM.inputs, { role: 'logo', description: 'A logo.', ...second }] }) as Recipe;
  expect(trimmedSecond({ inputs }, roles({}))?.inputs?.[1]).toMatchObject({ parameters: { ss: '2', to: '5' } });
  expect(trimmedSecond({ inputs }, roles({ parameters: { t: '3' } }))).toBeUndefined();
  expect(trimmedSecond({ inputs }, roles({ duration: '3' }))).toBeUndefined();
  expect(trimmedSecond({ inputs }, TRIM), 'a source that the recipe does not read').toBeUndefined();
  const clips = { ...TRIM, inputs: [{ role: 'clips', description: 'Clips.', many: true }] } as unknown as Recipe;
  expect(trimmedSecond({ inputs }, clips)?.range).toEqual({ start: 0, end: DURATION });
  expect(trimmedSecond({ inputs: ['a.mov'] }), 'a conversion of one source').toBeUndefined();
});
