/** The database cannot be opened. The message is for the operator and has no password. */
export class PostgresUnusable extends Error {
  override readonly name = 'PostgresUnusable';
  /** What the operator can do. */
  readonly fix: string;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message || String(codeOf(cause)) : String(cause), { cause });
    this.fix =
      codeOf(cause) === INSUFFICIENT_PRIVILEGE
        ? 'Grant CREATE on the database and on schema public to the user.'
        : 'Start it, or correct the address.';
  }
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** Returns `PostgresUnusable` if `error`, or an error that caused it, is a missing privilege; else `error` itself. */
export function explainMissingGrant(error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (codeOf(cause) === INSUFFICIENT_PRIVILEGE) return new PostgresUnusable(cause);
  return error;
}

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown } | undefined)?.code;
