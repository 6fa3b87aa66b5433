import { expect, test } from 'vitest';
import { signInErrorIn } from './sign-in-error.ts';

test.each(['DENIED', 'NOT_A_CLIENT', 'EXPIRED', 'NOT_BEGUN', 'REJECTED', 'UNAVAILABLE', 'RATE_LIMITED'])(
  'the page to sign in says what %s means',
  (code) => expect(signInErrorIn(`#sign-in-error=${code}`)?.text).toMatch(/[Tt]ry again|Ask the operator/),
);

test('a link cannot put words of its own into the page', () => {
  for (const text of ['Call+0900+123456', '<b>', 'toString', ''])
    expect(signInErrorIn(`#sign-in-error=${text}`)).toEqual({
      isUnknownPerson: false,
      text: 'The sign-in failed. Try again.',
    });
  for (const other of ['', '#', '#sign-in=code', '#other']) expect(signInErrorIn(other)).toBeUndefined();
});
