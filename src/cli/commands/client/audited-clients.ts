import { userInfo } from 'node:os';
import type { AuditLog } from '../../../audit/audit-log.ts';
import { auditedFields, type Clients, changedFields } from '../../../auth/clients.ts';
import type { AuditAction } from '../../../domain/audit.ts';

/** Clients whose changes are recorded in the audit log, with the name of the system's user. */
export function auditedClients(clients: Clients, audit: Pick<AuditLog, 'record'>): Clients {
  const record = (action: AuditAction, target: string, details: object = {}): Promise<void> =>
    audit.record({
      action,
      target,
      outcome: 'done',
      via: 'command line',
      details: { ...details, user: userInfo().username },
    });
  return {
    list: () => clients.list(),
    async add(name, options) {
      const added = await clients.add(name, options);
      await record('client.add', name, auditedFields(added.client));
      return added;
    },
    async addExternal(name, subject, options) {
      const added = await clients.addExternal(name, subject, options);
      await record('client.add', name, auditedFields(added));
      return added;
    },
    async change(name, changes, rule) {
      const changed = await clients.change(name, changes, rule);
      await record('client.change', name, changedFields(changed, changes));
      return changed;
    },
    async rotate(name) {
      const rotated = await clients.rotate(name);
      await record('client.rotate', name);
      return rotated;
    },
    async revoke(name, rule) {
      const revoked = await clients.revoke(name, rule);
      await record('client.revoke', name);
      return revoked;
    },
  };
}
