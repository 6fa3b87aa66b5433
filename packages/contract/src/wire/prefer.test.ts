import { expect, test } from 'vitest';
import { preferredWait } from './prefer.ts';

test.each([
  ['wait=10', { seconds: 10, until: 'end' }],
  ['Wait = "10"', { seconds: 10, until: 'end' }],
  ['respond-async, wait=5; until=change', { seconds: 5, until: 'change' }],
  ['wait=5;foo=bar; UNTIL=change', { seconds: 5, until: 'change' }],
  ['wait=7, wait=9', { seconds: 7, until: 'end' }],
  ['wait=0', { seconds: 0, until: 'end' }],
  ['wait=86400', { seconds: 60, until: 'end' }],
])('reads Prefer: %s', (header, wait) => expect(preferredWait(header)).toEqual(wait));

test.each([undefined, '', 'wait', 'wait=', 'wait=-1', 'wait=1.5', 'wait=soon', 'return=minimal', 'await=5'])(
  'ignores Prefer: %s',
  (header) => expect(preferredWait(header)).toBeUndefined(),
);
