import { invalidRequest } from '../domain/problem.ts';

/** A `sub` claim of at most 255 characters, as in OpenID Connect (Core, 2), but with letters of all scripts. */
const SUBJECT = /^[^\p{C}\p{Z}](?:[^\p{C}]{0,253}[^\p{C}\p{Z}])?$/u;

/** Throws INVALID_REQUEST unless the text can be a `sub` claim. */
export function checkExternalSubject(subject: string): void {
  if (SUBJECT.test(subject)) return;
  throw invalidRequest([
    {
      field: '/externalSubject',
      code: 'BAD_SUBJECT',
      message: 'Invalid subject. Use 1–255 visible characters, without spaces at the ends.',
      fix: 'Use the "sub" claim of the tokens of the issuer.',
    },
  ]);
}
