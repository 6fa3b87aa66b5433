/**
 * Why a person is not signed in by the issuer. `NOT_BEGUN`: not in this browser. `EXPIRED`: it took too long. `DENIED`: the person or
 * the issuer said no. `NOT_A_CLIENT`: no client has the person's subject. `REJECTED`: what came back is wrong. `UNAVAILABLE`: the
 * issuer did not reply.
 */
export type SignInFailure = 'NOT_BEGUN' | 'EXPIRED' | 'DENIED' | 'NOT_A_CLIENT' | 'REJECTED' | 'UNAVAILABLE';

/** A person is not signed in. The cause is for the log. */
export class SignInFailed extends Error {
  override readonly name = 'SignInFailed';
  readonly reason: SignInFailure;
  /** The page that the person wanted. */
  readonly returnTo: string;

  constructor(reason: SignInFailure, returnTo: string, cause: unknown) {
    super(`The sign-in by the issuer failed: ${reason}`, { cause });
    this.reason = reason;
    this.returnTo = returnTo;
  }
}
