/** The errno code of an error. '' if it has none. */
export const errnoOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Returns an error handler that ignores errors with these codes and throws all others. */
export const ignoreErrno =
  (...codes: readonly string[]) =>
  (error: unknown): undefined => {
    if (!codes.includes(errnoOf(error))) throw error;
  };
