import type { AuditAction, AuditOutcome, AuditRecord } from '@telecine/contract/domain/audit.ts';

/** Says which records to read, and in which order. */
export interface AuditQuery {
  readonly clientId?: string;
  readonly action?: AuditAction;
  readonly target?: string;
  readonly outcome?: AuditOutcome;
  /** The earliest time of the records (ISO 8601). `to`: the time before which the records end (ISO 8601). */
  readonly from?: string;
  readonly to?: string;
  readonly order: 'newest' | 'oldest';
  readonly limit: number;
  /** The id of a record. The page begins after this record. */
  readonly after?: string;
}

/** `next`: the id with which the next page begins; undefined on the last page. Any page can have fewer records than the limit. */
interface AuditPage {
  readonly records: readonly AuditRecord[];
  readonly next?: string;
}

/** Stores audit records. They cannot be changed. Only `forgetBefore` deletes them. */
export interface AuditStore {
  append(records: readonly AuditRecord[]): Promise<void>;
  list(query: AuditQuery): Promise<AuditPage>;
  /** Deletes records that are older than a time (ISO 8601). Resolves to their number. */
  forgetBefore(at: string): Promise<number>;
}
