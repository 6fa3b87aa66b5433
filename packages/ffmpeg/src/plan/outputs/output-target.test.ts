import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { expect, test } from 'vitest';
import { checkThumbnailTrack } from './output-target.ts';

const TRACK = { everySeconds: 5, durationSeconds: 60, columns: 5, rows: 3 };

function errorsOf(track: Partial<typeof TRACK>, output: Partial<Parameters<typeof checkThumbnailTrack>[1]> = {}) {
  const errors: FieldError[] = [];
  const sheet = { path: 'a.jpg' as MediaPath, muxer: 'image2', isSeries: false, ...output };
  checkThumbnailTrack({ ...TRACK, ...track }, sheet, errors);
  return errors;
}

test('a sheet with a place for each cue is accepted', () => {
  expect(errorsOf({})).toEqual([]);
  expect(errorsOf({}, { path: 'a.webp' as MediaPath, muxer: 'webp' })).toEqual([]);
});

test('a sheet with too few places is rejected', () => {
  expect(errorsOf({ rows: 2 })).toMatchObject([
    { field: '/thumbnailTrack', code: 'TOO_MANY', message: expect.stringContaining('places for only 10') },
  ]);
});

test.each([
  ['a film', { path: 'a.mp4' as MediaPath, muxer: 'mp4' }],
  ['a series of pictures', { path: 'a_%03d.jpg' as MediaPath, isSeries: true }],
])('%s has no track', (_what, output) => {
  expect(errorsOf({}, output)).toMatchObject([{ field: '/thumbnailTrack', code: 'NOT_A_SHEET' }]);
});
