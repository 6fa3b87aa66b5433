import { expect, test } from 'vitest';
import { MediaFactsStore, mediaFactsText, readMediaFacts } from './media-facts.ts';

const textOf = (fields: Readonly<Record<string, string>>): string =>
  mediaFactsText(readMediaFacts(new Headers(fields)));

test('a video has a duration and a picture size, a sound only a duration, and an image only a size', () => {
  expect(textOf({ 'Media-Duration': '90.4', 'Media-Size': '854x480' })).toBe('1:30, 854×480');
  expect(textOf({ 'Media-Duration': '12' })).toBe('12\u00a0s');
  expect(textOf({ 'Media-Size': '640x360' })).toBe('640×360');
  expect(mediaFactsText()).toBe('');
});

test('a reply of an older service, and a wrong one, tell nothing', () => {
  expect(readMediaFacts(new Headers())).toEqual({});
  expect(readMediaFacts(new Headers({ 'Media-Duration': 'long', 'Media-Size': 'wide' }))).toEqual({});
});

test('only the row of the file is drawn again, and the oldest files are forgotten', () => {
  const store = new MediaFactsStore(2);
  const drawn: string[] = [];
  const stop = store.watch('a', () => drawn.push('a'));
  store.watch('b', () => drawn.push('b'));
  store.set('a', { durationSeconds: 1 });
  stop();
  store.set('a', { durationSeconds: 2 });
  store.set('b', { size: '2×2' });
  store.set('c', {});
  expect(drawn).toEqual(['a', 'b']);
  expect([store.get('a'), store.get('b'), store.get('c')]).toEqual([undefined, { size: '2×2' }, {}]);
});
