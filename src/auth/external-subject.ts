import { invalidRequest } from '../domain/problem.ts';

/** As OpenID Connect bounds it (Core, 2), with letters of all scripts. */
const SUBJECT = /^[^\p{C}\p{Z}](?:[^\p{C}]{0,253}[^\p{C}\p{Z}])?$/u;

/** Throws INVALID_REQUEST unless an issuer may know somebody by this `sub`. */
export function checkExternalSubject(subject: string): void {
  if (SUBJECT.test(subject)) return;
  throw invalidRequest([
    {
      field: '/external',
      code: 'BAD_SUBJECT',
      message: 'A subject has 1 to 255 characters that can be seen, and no space at its ends.',
      fix: 'Name what the tokens of the issuer hold as "sub".',
    },
  ]);
}
