import { isStoreOutage } from '../../domain/store-errors.ts';
import type { Log } from '../logger.ts';

/**
 * Returns a function that logs an error as an internal one, with `details`, unless it is an outage of the database, which is logged
 * once when it begins.
 */
export const internalErrors =
  (log: Pick<Log['log'], 'error'>, details: { readonly component: string; readonly jobId?: string }) =>
  (err: unknown): void => {
    if (!isStoreOutage(err)) log.error({ ...details, err }, 'internal error');
  };
