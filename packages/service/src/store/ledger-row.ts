import type { WatchedFile, WatchedFileState } from '@telecine/contract/domain/watch.ts';

/** No failed file waits longer for another try. A later time was written before the clock was set back. */
export const LONGEST_RETRY_MS = 600_000;

/** A row as it was read. A write that names it does nothing if the row has another version or state by now. */
export type ReadFile = Pick<WatchedFile, 'watchId' | 'path' | 'version' | 'state'>;

/** What a write changes of a row. null removes a value. `settleAt`: when the source of a converted file is looked at. */
export type FileChange = {
  readonly [K in Exclude<keyof WatchedFile, 'watchId'>]?: NonNullable<WatchedFile[K]> | null;
} & { readonly settleAt?: string | null };

/** A file that is new to the ledger. */
export interface NewWatchedFile extends Pick<WatchedFile, 'path' | 'version' | 'bytes' | 'fileKey' | 'skipReason'> {
  readonly state: 'READY' | 'SKIPPED';
}

/** What a poll changes in the ledger. */
export interface LedgerChanges {
  /** Added if there is no row with their path. */
  readonly added: readonly NewWatchedFile[];
  readonly changed: readonly { readonly row: ReadFile; readonly change: FileChange }[];
}

/** What jobs of watches have made at a path. */
export interface MadeFile {
  readonly path: string;
  /** Absent while the job is not finished, and for a folder. */
  readonly bytes?: number;
  /** See `identityOf`. */
  readonly fingerprint?: string;
  /** Present while a job is going to write it. */
  readonly isPending?: boolean;
  /** The ids of the watches through which it came to be. */
  readonly origins: readonly string[];
}

export const timeAfter = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString();

/** Puts a file into a state. What belonged to the state before is removed. */
export const inState = (state: WatchedFileState, at: string, values: FileChange = {}): FileChange => ({
  ...{ state, skipReason: null, dueAt: null, failure: null, changedAt: at },
  ...{ source: null, sourceTarget: null, settleAt: null },
  ...values,
});

/** For a file that is to be converted again. */
export const readyAgain = (at: string): FileChange => inState('READY', at, { attempts: 0, dueAt: at });

/** The first row of a file. */
export const newFile = (file: NewWatchedFile, at: string): Omit<WatchedFile, 'watchId'> => ({
  ...file,
  ...(file.state === 'READY' && { dueAt: at }),
  ...{ attempts: 0, seenAt: at, changedAt: at },
});

/** A text that differs for each file of a disk: the fingerprint of an output. undefined: the storage has none. */
export const identityOf = ({ fileKey, version }: Pick<WatchedFile, 'fileKey' | 'version'>): string | undefined =>
  fileKey === undefined ? undefined : `${fileKey}:${version}`;
