import type { AuditAction, AuditOutcome, AuditRecord } from '@telecine/contract/domain/audit.ts';

/** Which records to read, and in which order. */
export interface AuditQuery {
  readonly clientId?: string;
  readonly action?: AuditAction;
  readonly target?: string;
  readonly outcome?: AuditOutcome;
  /** Only records from this time on (ISO 8601). `to`: only records before this time. */
  readonly from?: string;
  readonly to?: string;
  readonly order: 'newest' | 'oldest';
  readonly limit: number;
  /** The id of the record after which the page begins. */
  readonly after?: string;
}

/**
 * `next`: the id with which the next page begins. undefined: this is the last page. A page can have fewer records than
 * the limit, even if it is not the last.
 */
interface AuditPage {
  readonly records: readonly AuditRecord[];
  readonly next?: string;
}

/** Stores audit records. Only `forgetBefore` deletes them, and nothing changes them. */
export interface AuditStore {
  append(records: readonly AuditRecord[]): Promise<void>;
  list(query: AuditQuery): Promise<AuditPage>;
  /** Deletes records that are older than a time (ISO 8601). Resolves to their number. */
  forgetBefore(at: string): Promise<number>;
}
