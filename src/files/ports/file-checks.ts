/** A counted file, which may have been changed or removed since. */
export interface FileToCheck {
  readonly clientId: string;
  readonly path: string;
  /** When it was published or last checked, as ISO 8601 text. */
  readonly checkedAt: string;
}

/** Finds counted files that others have changed or removed, or that a crash has kept from appearing. */
export interface FileChecks {
  /** Lists files that were checked last before this time, the oldest first. */
  checkedBefore(at: string, limit: number): Promise<readonly FileToCheck[]>;
  /** Stores the size of a file at this time; for undefined, forgets it. Changes nothing if it was published again since. */
  settle(file: FileToCheck, found: { readonly bytes: number; readonly at: string } | undefined): Promise<void>;
}
