import { userInfo } from 'node:os';
import type { AuditAction } from '@telecine/contract/domain/audit.ts';
import { type AuditLog, createAuditLog } from '@telecine/service/audit/audit-log.ts';
import type { ClientRoots } from '@telecine/service/auth/client-administration.ts';
import {
  auditedFields,
  type Clients,
  type ClientView,
  changedFields,
  checkClientName,
  createClients,
} from '@telecine/service/auth/clients.ts';
import { configFromEnvironment } from '@telecine/service/config/environment.ts';
import { clientRoots } from '@telecine/service/start/client-roots.ts';
import { withAdminFile } from '@telecine/service/start/clients.ts';
import { openStore, readStore } from '@telecine/service/start/database.ts';
import { lacks, MIGRATES } from '@telecine/service/store/migrate.ts';
import { DatabaseOfOtherVersion } from '@telecine/service/store/operator-errors.ts';
import { type ManagedClients, readLimits } from './managed-clients.ts';

export interface ClientsInStore {
  readonly clients: ManagedClients;
  close(): Promise<void>;
}

/**
 * Opens the clients in the store for `telecine client`. This also works while a service has the store open. `readsOnly`: creates, migrates
 * and writes nothing.
 */
export async function openClientsInStore(readsOnly: boolean): Promise<ClientsInStore> {
  const config = configFromEnvironment();
  const store = await (readsOnly ? readStore(config) : openStore(config));
  const missing = await store.pendingMigrations();
  if (missing.length > 0) {
    await store.close();
    throw new DatabaseOfOtherVersion(`${lacks(missing)} ${MIGRATES}`);
  }
  const roots = await clientRoots(config, { readsOnly });
  const audit = createAuditLog({
    store: store.audit,
    onLost: (_records, error) =>
      console.error('The change is not in the audit log:', error instanceof Error ? error.message : error),
  });
  const clients = withAdminFile(createClients({ ...store, now: Date.now }), config.dataDir);
  return {
    clients: clientsInStore(auditedClients(clients, audit), roots),
    close: async () => {
      await audit.close();
      await store.close();
    },
  };
}

/** Manages clients and their media roots without a running service. Each operation throws `Problem`. */
export function clientsInStore(clients: Clients, roots: ClientRoots): ManagedClients {
  const shown = (client: ClientView) => ({ ...client, root: client.root ?? roots.ofService });
  return {
    async add(name, { limit, root: chosen, scope = [], external, yes = false }, confirmFolder) {
      const limits = limit === undefined ? {} : { limits: readLimits(limit) };
      checkClientName(name);
      const dir = chosen ?? roots.ownFolder(name);
      const isTaken = (await clients.list()).some(({ clientId }) => clientId === name);
      // A new client gets the folder of its name by default. If this folder already contains files, the operator must agree.
      if (chosen === undefined && !yes && !isTaken && (await roots.hasEntries(dir)))
        await confirmFolder(
          `The folder ${roots.shown(dir)} is not empty. The client could read, replace and delete what is in it.`,
        );
      const root = await roots.resolve(dir);
      // A client without its own root uses the root of the service, also after the operator moves it.
      const rest = { ...(root === roots.ofService ? {} : { root }), ...limits, scopes: scope };
      if (external !== undefined) return shown(await clients.addExternal(name, external, rest));
      const { client, clientSecret } = await clients.add(name, rest);
      return { ...shown(client), clientSecret };
    },
    change: async (name, { limit, root, scope }) =>
      shown(
        await clients.change(name, {
          ...(limit === undefined ? {} : { limits: readLimits(limit) }),
          ...(root === undefined ? {} : { root: await roots.resolve(root) }),
          ...(scope === undefined ? {} : { scopes: scope }),
        }),
      ),
    list: async () => (await clients.list()).map(shown),
    rotate: async (name, graceHours) => {
      const { client, clientSecret } = await clients.rotate(name, graceHours);
      return { ...shown(client), clientSecret };
    },
    revoke: (name) => clients.revoke(name),
  };
}

/** Wraps `clients` so that each change is recorded in the audit log with the name of the operating system user. */
function auditedClients(clients: Clients, audit: Pick<AuditLog, 'record'>): Clients {
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
    async rotate(name, graceHours = 0) {
      const rotated = await clients.rotate(name, graceHours);
      await record('client.rotate', name, { graceHours });
      return rotated;
    },
    async revoke(name, rule) {
      const revoked = await clients.revoke(name, rule);
      await record('client.revoke', name);
      return revoked;
    },
  };
}
