import { expect, test } from 'vitest';
import { sourcesOf } from './sources-of.ts';

test('a plan is of another request as soon as a source is another, and not when only its options are', () => {
  const film = sourcesOf({ input: 'a.mp4' });
  expect(sourcesOf({ inputs: ['a.mp4'] })).toBe(film);
  expect(sourcesOf({ inputs: [{ input: 'a.mp4', parameters: { ss: '2' } }] })).toBe(film);
  expect(sourcesOf({ input: 'b.mp4' })).not.toBe(film);
  expect(sourcesOf({ inputs: ['a.mp4', 'b.mp4'] })).not.toBe(sourcesOf({ inputs: ['b.mp4', 'a.mp4'] }));
});
