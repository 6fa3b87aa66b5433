import { StoreFull } from './store-full.ts';
import { StoreUnavailable } from './store-unavailable.ts';

/**
 * Whether the database is lost or its disk is full. The service logs either once, when it begins, so that whoever meets it
 * later does not log it again.
 */
export const isStoreOutage = (error: unknown): boolean =>
  error instanceof StoreFull || error instanceof StoreUnavailable;
