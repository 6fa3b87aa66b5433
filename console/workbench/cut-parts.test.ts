import { expect, test } from 'vitest';
import { changeDraft } from './change-draft.ts';
import { addFirstPart, canKeepParts, keepParts, partsOf, withFreePart } from './cut-parts.ts';
import { draftFromRequest } from './draft-from-request.ts';
import { requestFromDraft } from './request-from-draft.ts';
import { trimPlace } from './trim-place.ts';

const duration = 60;
const draft = draftFromRequest({
  inputs: [{ input: 'a.mov', parameters: { ss: '10', to: '20' } }],
  output: 'b.mp4',
});

test('a further part turns the chosen part into the first of a list', () => {
  const place = trimPlace(draft, undefined);
  if (place === undefined) throw new Error('The draft has no place for a part.');
  expect(canKeepParts(draft, undefined, place)).toBe(true);
  const changes = addFirstPart(place, { start: 10, end: 20 }, { draft, duration });
  const after = changes.reduce(changeDraft, draft);
  expect(requestFromDraft(after)).toEqual({
    input: 'a.mov',
    output: 'b.mp4',
    cut: {
      keep: [
        { start: 10, end: 20 },
        { start: 30, end: 50 },
      ],
    },
  });
  expect(trimPlace(after, undefined)).toBeUndefined();
  expect(partsOf(after.others.cut, duration)).toEqual([
    { start: 10, end: 20 },
    { start: 30, end: 50 },
  ]);
});

test('the parts of a request are read in all forms of time', () => {
  const cut = { keep: [{ end: '0:10' }, { start: '1:00.5' }], crossfade: 0.5 };
  const written = draftFromRequest({ input: 'a.mov', output: 'b.mp4', cut });
  expect(partsOf(written.others.cut, 90)).toEqual([
    { start: 0, end: 10 },
    { start: 60.5, end: 90 },
  ]);
  const after = changeDraft(written, keepParts(written, [{ start: 1, end: 2 }]));
  expect(requestFromDraft(after).cut).toEqual({ keep: [{ start: 1, end: 2 }], crossfade: 0.5 });
  expect(requestFromDraft(changeDraft(written, keepParts(written, [])))).not.toHaveProperty('cut');
});

test('parts that the job finds are not a list', () => {
  const found = draftFromRequest({ input: 'a.mov', output: 'b.mp4', cut: { remove: { silence: {} } } });
  expect(partsOf(found.others.cut, 60)).toBeUndefined();
});

test('a further part lies where nothing is kept yet', () => {
  expect(withFreePart([{ start: 20, end: 60 }], 60)).toEqual([
    { start: 5, end: 15 },
    { start: 20, end: 60 },
  ]);
  const whole = [{ start: 0, end: 60 }];
  expect(withFreePart(whole, 60)).toBe(whole);
});
