import { readClientLimits } from '../../../config/client-limits.ts';
import type { ClientLimitChanges } from '../../../domain/client-limits.ts';
import { invalidRequest } from '../../../domain/problem.ts';

/** Options of `telecine client add`, as commander passes them. */
export interface AddOptions extends SetOptions {
  readonly external?: string;
  readonly yes?: boolean;
}

/** Options of `telecine client set`. */
export interface SetOptions {
  readonly root?: string;
  readonly scope?: readonly string[];
  /** `key=value` texts. */
  readonly limit?: readonly string[];
}

/** The error of `set` without an option. */
export const NOTHING_TO_CHANGE = invalidRequest([
  { field: '', code: 'MISSING', message: 'Nothing to change.', fix: 'Send --root, --scope or --limit.' },
]);

/** Reads the values of `--limit`. Throws INVALID_REQUEST for an invalid limit. */
export function readLimits(texts: readonly string[]): ClientLimitChanges {
  try {
    return readClientLimits(texts);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidRequest([{ field: '/limit', code: 'BAD_LIMIT', message: `Invalid --limit: ${reason}.` }]);
  }
}
