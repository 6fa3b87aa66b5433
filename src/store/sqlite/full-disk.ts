import { StoreFull } from '../../domain/store-errors.ts';

/** SQLITE_FULL, and SQLITE_IOERR_SHMSIZE for the index of the log. https://www.sqlite.org/rescode.html */
const FULL: ReadonlySet<unknown> = new Set([13, 4874]);

export const isFullDisk = (error: unknown): boolean =>
  error instanceof Error && (FULL.has((error as { errcode?: unknown }).errcode) || isFullDisk(error.cause));

/** Returns the problem UNAVAILABLE for an error of SQLite on a full disk, and any other error unchanged. */
export const explainFullDisk = (error: unknown): unknown => (isFullDisk(error) ? new StoreFull('this request') : error);
