import { Problem } from '../../domain/problem.ts';
import { hashToken, newSignInCode } from '../clients/secrets.ts';

/** The lifetime of a code: long enough to open the printed link. */
export const SIGN_IN_CODE_SECONDS = 5 * 60;

/** Codes that sign in once without the secret of the client. Only the process that made a code accepts it. */
export interface SignInCodes {
  make(clientId: string): string;
  /** The client of a valid code, which is then used up. */
  take(code: string): string | undefined;
  /** The problem for a code that is unknown, used or expired. */
  rejection(): Problem;
}

/** `now`: milliseconds since 1970. */
export function createSignInCodes(now: () => number): SignInCodes {
  const codes = new Map<string, { readonly clientId: string; readonly expiresAt: number }>();
  return {
    make(clientId) {
      const code = newSignInCode();
      codes.set(hashToken(code), { clientId, expiresAt: now() + SIGN_IN_CODE_SECONDS * 1000 });
      return code;
    },
    take(code) {
      // Found by its hash, so that the time of the search says nothing about other codes.
      const key = hashToken(code);
      const found = codes.get(key);
      codes.delete(key);
      return found !== undefined && now() < found.expiresAt ? found.clientId : undefined;
    },
    rejection: () =>
      new Problem(
        'INVALID_CLIENT',
        'The link was used, has expired, or is from before a restart of the service. Sign in with the id and the secret of a client.',
      ),
  };
}
