// Errors of the database, in a file without a database driver, so that each command can import and print them.

/** Thrown if the database was moved and services must no longer use it. The message is for the operator. */
export class DatabaseMoved extends Error {
  override readonly name = 'DatabaseMoved';

  constructor(target: string) {
    super(
      `The SQLite database was moved to ${target}. Set TELECINE_DATABASE_URL to that database. ` +
        'To use the SQLite database again, without the jobs since the move, run: telecine db move --undo',
    );
  }
}

/** Thrown if another version has made or migrated the database, and this one cannot use it. The message is for the operator. */
export class DatabaseOfOtherVersion extends Error {
  override readonly name = 'DatabaseOfOtherVersion';
}

/** Thrown if the database cannot be moved. The message is for the operator. */
export class MoveRefused extends Error {
  override readonly name = 'MoveRefused';
}

/** Thrown if the database cannot be opened. The message is for the operator and contains no password. */
export class PostgresUnusable extends Error {
  override readonly name = 'PostgresUnusable';
  readonly fix: string;

  /** `cause`: an error, an object with `code` and `message`, or a message. */
  constructor(cause: unknown) {
    const { message, code } = (typeof cause === 'object' && cause !== null ? cause : { message: cause }) as Reason;
    super(String(message || code), { cause });
    this.fix = isTlsError({ code, message })
      ? 'Correct "sslmode" and "sslrootcert" in the address, or the certificate of the server.'
      : code === INSUFFICIENT_PRIVILEGE
        ? 'Grant CREATE on the database and on schema public to the user.'
        : 'Start it, or correct the address.';
  }
}

interface Reason {
  readonly message?: unknown;
  readonly code?: unknown;
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** The reason of `PostgresUnusable` if the user of the database may not create tables. */
export const MISSING_GRANT: Reason = { code: INSUFFICIENT_PRIVILEGE, message: 'the user may not create tables' };

/** Returns whether an error means that a connection has no TLS or that its certificate is not trusted. */
export const isTlsError = (error: unknown): boolean => {
  const { code, message } = (error ?? {}) as Reason;
  return (
    /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_)/.test(String(code)) ||
    message === 'The server does not support SSL connections'
  );
};

/** Returns a `PostgresUnusable` if `error` or one of its causes is a missing privilege. Otherwise, returns `error`. */
export function explainMissingGrant(error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ((cause as Reason).code === INSUFFICIENT_PRIVILEGE) return new PostgresUnusable(cause);
  return error;
}
