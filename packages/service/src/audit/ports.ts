import type { AuditAction, AuditOutcome, AuditRecord } from '@telecine/contract/domain/audit.ts';

/** Which records to read. */
export interface AuditQuery {
  readonly clientId?: string;
  readonly action?: AuditAction;
  readonly target?: string;
  readonly outcome?: AuditOutcome;
  /** The first and the last time, as ISO 8601. `to` is exclusive. */
  readonly from?: string;
  readonly to?: string;
  readonly order: 'newest' | 'oldest';
  readonly limit: number;
  /** The id after which the page begins. */
  readonly after?: string;
}

/** `next`: where the next page begins. Absent on the last page. A page before it can have fewer records than the limit. */
interface AuditPage {
  readonly records: readonly AuditRecord[];
  readonly next?: string;
}

/** Stores records. They cannot be changed, and be deleted only by `forgetBefore`. */
export interface AuditStore {
  append(records: readonly AuditRecord[]): Promise<void>;
  list(query: AuditQuery): Promise<AuditPage>;
  /** Deletes the records of before a time (ISO 8601). Returns their number. */
  forgetBefore(at: string): Promise<number>;
}
