/** The database cannot be opened. The message is for the operator and has no password. */
export class PostgresUnusable extends Error {
  override readonly name = 'PostgresUnusable';

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message || String((cause as { code?: unknown }).code) : String(cause), {
      cause,
    });
  }
}
