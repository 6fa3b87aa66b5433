import type { CountedFile } from '../../domain/stored-files.ts';

/** A counted file of a client. */
export interface FileToCheck extends CountedFile {
  readonly clientId: string;
}

/** Finds counted files that others may have changed or removed, or that a crash may have kept from appearing. */
export interface FileChecks {
  /** Lists files that were counted or corrected last before this time, the oldest first. */
  checkedBefore(at: string, limit: number): Promise<readonly FileToCheck[]>;
  /** Adds the files of clients up whose total is older than this time. Reads all of these files. */
  addUpBefore(at: string): Promise<void>;
}
