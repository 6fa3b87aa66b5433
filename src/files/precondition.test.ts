import { expect, test } from 'vitest';
import type { MediaPath } from '../domain/media-path.ts';
import type { FileFacts } from './ports.ts';
import { checkOf, judge, type Precondition, tagOf } from './precondition.ts';

const AT = new Date('2026-01-31T12:00:00.750Z');
const SECOND = new Date('2026-01-31T12:00:00Z');
const EARLIER = new Date('2026-01-31T11:59:59Z');

const file: FileFacts = { path: 'a' as MediaPath, sizeBytes: 1, modifiedAt: AT, fingerprint: '1:1:1' };
const tag = { tag: tagOf(file), weak: false };
const weak = { ...tag, weak: true };
const other = { tag: 'other', weak: false };

test.each<[what: string, asked: Precondition, there: ReturnType<typeof judge>, absent: ReturnType<typeof judge>]>([
  ['nothing', {}, 'go', 'go'],
  ['If-Match: *', { ifMatch: '*' }, 'go', 'failed'],
  ['If-Match with its tag', { ifMatch: [other, tag] }, 'go', 'failed'],
  ['If-Match with its tag, weak', { ifMatch: [weak] }, 'failed', 'failed'],
  ['If-Match with another tag', { ifMatch: [other] }, 'failed', 'failed'],
  ['If-None-Match: *', { ifNoneMatch: '*' }, 'same', 'go'],
  ['If-None-Match with its tag', { ifNoneMatch: [tag] }, 'same', 'go'],
  ['If-None-Match with its tag, weak', { ifNoneMatch: [weak] }, 'same', 'go'],
  ['If-None-Match with another tag', { ifNoneMatch: [other] }, 'go', 'go'],
  ['If-Modified-Since its second', { ifModifiedSince: SECOND }, 'same', 'go'],
  ['If-Modified-Since before', { ifModifiedSince: EARLIER }, 'go', 'go'],
  ['If-Unmodified-Since its second', { ifUnmodifiedSince: SECOND }, 'go', 'go'],
  ['If-Unmodified-Since before', { ifUnmodifiedSince: EARLIER }, 'failed', 'go'],
  ['a tag that decides over a time', { ifNoneMatch: [other], ifModifiedSince: SECOND }, 'go', 'go'],
  ['a match that decides over a time', { ifMatch: [tag], ifUnmodifiedSince: EARLIER }, 'go', 'failed'],
])('%s', (_, asked, there, absent) => {
  expect(judge(asked, file)).toBe(there);
  expect(judge(asked, undefined)).toBe(absent);
});

test('a change is not held up by If-Modified-Since', () => {
  expect(() => checkOf({ ifModifiedSince: SECOND })(file)).not.toThrow();
  expect(() => checkOf({ ifNoneMatch: '*' })(file)).toThrow(`"${tag.tag}"`);
});
