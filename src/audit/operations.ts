import type { AuditLog } from './audit-log.ts';
import type { AuditStore } from './ports.ts';

/** The audit log for the HTTP layer. */
export interface AuditOperations extends Pick<AuditLog, 'record' | 'note'>, Pick<AuditStore, 'list'> {
  /** Whether a client of this name exists or was revoked. A refused login is recorded with no other name. */
  isClient(name: string): Promise<boolean>;
}
