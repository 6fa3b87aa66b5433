import type { CountedFile } from '../../domain/stored-files.ts';

/** A counted file of a client. */
export interface FileToCheck extends CountedFile {
  readonly clientId: string;
}

/** Finds counted files that others may have changed or removed, or that a crash may have kept from appearing. */
export interface FileChecks {
  /**
   * Lists files that were counted before this time, the oldest first. One that was corrected is listed as if it had been
   * counted five hours later: it was there, and each look is a request to an object store.
   *
   * @param except Clients whose files are not listed.
   */
  checkedBefore(at: string, limit: number, except?: readonly string[]): Promise<readonly FileToCheck[]>;
  /**
   * Ends files that are pending since before this time, because their publisher was killed. `checkedBefore` then lists first
   * those that may have appeared. Ends at most `limit`, and resolves to their number.
   */
  expirePending(at: string, limit: number): Promise<number>;
  /** Lists clients whose files were added up last before this time, or never. */
  clientsToAddUp(at: string, limit: number): Promise<readonly string[]>;
  /** Adds the files of a client up. Reads all of them. */
  addUp(clientId: string): Promise<void>;
}
