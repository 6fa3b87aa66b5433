import { type AuditLog, type AuditOperations, createAuditLog } from '../../audit/audit-log.ts';
import type { Config } from '../../config/config.ts';
import { DAY_MS } from '../../domain/quantity.ts';
import type { Store } from '../../store/store.ts';
import type { Log } from '../logger.ts';
import { everyHour } from './every.ts';

export type Audit = AuditOperations & Pick<AuditLog, 'close'>;

/** Opens the audit log. Deletes records that are older than the setting every hour. */
export function openAudit(
  closers: AsyncDisposableStack,
  { auditDays }: Pick<Config, 'auditDays'>,
  log: Log['log'],
  store: Pick<Store, 'audit' | 'clients'>,
): Audit {
  const auditLog = createAuditLog({
    store: store.audit,
    // The lines in the log replace the records, also if the database cannot be reached.
    onLost: (records, err) => {
      for (const record of records) log.error({ component: 'audit', record }, 'audit record not stored');
      log.error({ component: 'audit', records: records.length, err }, 'audit records not stored');
    },
  });
  closers.defer(() => auditLog.close());
  if (auditDays > 0) {
    const forget = () => store.audit.forgetBefore(new Date(Date.now() - auditDays * DAY_MS).toISOString());
    closers.use(everyHour(forget, log, { startsNow: true }));
  }
  return {
    ...auditLog,
    list: (query) => store.audit.list(query),
    isClient: async (name) => (await store.clients.get(name)) !== undefined,
  };
}
