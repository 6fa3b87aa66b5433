import type { MediaInfo } from '@telecine/client';
import { expect, test } from 'vitest';
import { lackText, readableFirst, readSource } from './recipe-fit.ts';

const withStreams = (...types: readonly string[]): MediaInfo =>
  ({ format: {}, streams: types.map((type) => ({ type })) }) as unknown as MediaInfo;
const FILM = readSource('films/in.mp4', withStreams('video', 'audio'));

test('a recipe that needs a stream which the source does not have says so, and comes last', () => {
  const recipes = [{ needs: ['subtitle' as const] }, {}, { needs: ['video' as const] }];
  expect(recipes.map((one) => lackText(one, FILM))).toEqual(['in.mp4 has no subtitles', undefined, undefined]);
  expect(readableFirst(recipes, FILM, 6)).toEqual([recipes[1], recipes[2], recipes[0]]);
  expect(readableFirst(recipes, FILM, 2)).toEqual([recipes[1], recipes[0], recipes[2]]);
});

test('of a source that is not known, nothing is said', () => {
  const leftOut = { ...withStreams('video'), leftOut: { streams: 3 } } as unknown as MediaInfo;
  for (const source of [undefined, readSource('in.mp4', undefined), readSource('in.mkv', leftOut)])
    expect(lackText({ needs: ['subtitle'] }, source)).toBeUndefined();
});
