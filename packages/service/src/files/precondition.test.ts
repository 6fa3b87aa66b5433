import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { expect, test } from 'vitest';
import type { FileFacts } from './ports.ts';
import { entityTagOf, evaluatePrecondition, type Precondition, toFileCheck } from './precondition.ts';

const AT = new Date('2026-01-31T12:00:00.750Z');
const SECOND = new Date('2026-01-31T12:00:00Z');
const EARLIER = new Date('2026-01-31T11:59:59Z');

const file: FileFacts = { path: 'a' as MediaPath, sizeBytes: 1, modifiedAt: AT, fingerprint: '1:1:1' };
const tag = { tag: entityTagOf(file), weak: false };
const weak = { ...tag, weak: true };
const other = { tag: 'other', weak: false };

test.each<
  [
    title: string,
    precondition: Precondition,
    exists: ReturnType<typeof evaluatePrecondition>,
    missing: ReturnType<typeof evaluatePrecondition>,
  ]
>([
  ['no precondition', {}, 'proceed', 'proceed'],
  ['If-Match: *', { ifMatch: '*' }, 'proceed', 'failed'],
  ['If-Match with its tag', { ifMatch: [other, tag] }, 'proceed', 'failed'],
  ['If-Match with its tag, weak', { ifMatch: [weak] }, 'failed', 'failed'],
  ['If-Match with another tag', { ifMatch: [other] }, 'failed', 'failed'],
  ['If-None-Match: *', { ifNoneMatch: '*' }, 'unmodified', 'proceed'],
  ['If-None-Match with its tag', { ifNoneMatch: [tag] }, 'unmodified', 'proceed'],
  ['If-None-Match with its tag, weak', { ifNoneMatch: [weak] }, 'unmodified', 'proceed'],
  ['If-None-Match with another tag', { ifNoneMatch: [other] }, 'proceed', 'proceed'],
  ['If-Modified-Since with the same second', { ifModifiedSince: SECOND }, 'unmodified', 'proceed'],
  ['If-Modified-Since before', { ifModifiedSince: EARLIER }, 'proceed', 'proceed'],
  ['If-Unmodified-Since with the same second', { ifUnmodifiedSince: SECOND }, 'proceed', 'proceed'],
  ['If-Unmodified-Since before', { ifUnmodifiedSince: EARLIER }, 'failed', 'proceed'],
  [
    'If-None-Match takes precedence over If-Modified-Since',
    { ifNoneMatch: [other], ifModifiedSince: SECOND },
    'proceed',
    'proceed',
  ],
  [
    'If-Match takes precedence over If-Unmodified-Since',
    { ifMatch: [tag], ifUnmodifiedSince: EARLIER },
    'proceed',
    'failed',
  ],
])('%s', (_, precondition, exists, missing) => {
  expect(evaluatePrecondition(precondition, file)).toBe(exists);
  expect(evaluatePrecondition(precondition, undefined)).toBe(missing);
});

test('a change ignores If-Modified-Since', () => {
  expect(() => toFileCheck({ ifModifiedSince: SECOND })(file)).not.toThrow();
  expect(() => toFileCheck({ ifNoneMatch: '*' })(file)).toThrow(`"${tag.tag}"`);
});
