/** The database cannot be opened. The message is for the operator and has no password. */
export class PostgresUnusable extends Error {
  override readonly name = 'PostgresUnusable';

  /** `cause`: an error, or its code and message. */
  constructor(cause: unknown) {
    const { message, code } = (typeof cause === 'object' && cause !== null ? cause : { message: cause }) as Reason;
    super(String(message || code), { cause });
  }
}

interface Reason {
  readonly message?: unknown;
  readonly code?: unknown;
}
