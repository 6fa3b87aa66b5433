import { userInfo } from 'node:os';
import type { AuditEvent } from '@telecine/contract/domain/audit.ts';
import { CLIENT_OPERATIONS } from '@telecine/contract/wire/operations/administration.ts';
import { createAuditLog } from '@telecine/service/audit/audit-log.ts';
import { type ClientRoots, clientAdministration } from '@telecine/service/auth/client-administration.ts';
import { clientHandlers } from '@telecine/service/auth/client-handlers.ts';
import { type Clients, createClients } from '@telecine/service/auth/clients.ts';
import { readClientLimits } from '@telecine/service/config/client-limits.ts';
import { configFromEnvironment } from '@telecine/service/config/environment.ts';
import { clientRoots } from '@telecine/service/start/client-roots.ts';
import { withAdminFile } from '@telecine/service/start/clients.ts';
import { openStore, readStore } from '@telecine/service/start/database.ts';
import { lacks, MIGRATES } from '@telecine/service/store/migrate.ts';
import { DatabaseOfOtherVersion } from '@telecine/service/store/operator-errors.ts';
import type { CallOperation, Operations } from '../../session/operation-verbs.ts';

/**
 * Opens the operations on clients in the store, without a service. This also works while a service has the store open. `readsOnly`:
 * creates, migrates and writes nothing.
 */
export async function openClientsInStore(readsOnly: boolean): Promise<Operations> {
  const config = configFromEnvironment();
  const store = await (readsOnly ? readStore(config) : openStore(config));
  const missing = await store.pendingMigrations();
  if (missing.length > 0) {
    await store.close();
    throw new DatabaseOfOtherVersion(`${lacks(missing)} ${MIGRATES}`);
  }
  const audit = createAuditLog({
    store: store.audit,
    onLost: (_records, error) =>
      console.error('The change is not in the audit log:', error instanceof Error ? error.message : error),
  });
  const clients = withAdminFile(createClients({ ...store, now: Date.now }), config.dataDir);
  return {
    call: localClients(clients, await clientRoots(config, { readsOnly }), (event) => audit.record(event)),
    [Symbol.asyncDispose]: async () => {
      await audit.close();
      await store.close();
    },
  };
}

/** Calls the operations on clients as HTTP does. `record` gets each change, with the name of the operating system user. */
export function localClients(
  clients: Clients,
  roots: ClientRoots,
  record: (event: AuditEvent) => Promise<void>,
): CallOperation {
  const administration = { clients, roots, readLimits: readClientLimits, defaultLimits: {}, isLocal: true };
  const handlers = clientHandlers(clientAdministration(administration));
  return async (id, { params = {}, query = {}, body = {} }) => {
    const handler = handlers[id as keyof typeof handlers] as (call: object) => Promise<{
      readonly body: object;
      readonly facts?: Pick<AuditEvent, 'target' | 'details'>;
    }>;
    // Whoever has a shell on the machine can add an administrator again.
    const reply = await handler({ params, query: { ...query, lastAdmin: 'true' }, body: { lastAdmin: true, ...body } });
    const { audit } = CLIENT_OPERATIONS[id as 'addClient'] ?? {};
    const target = String(params['clientId'] ?? body['clientId']);
    const details = { ...reply.facts?.details, user: userInfo().username };
    if (audit !== undefined)
      await record({ action: audit.action, target, outcome: 'done', via: 'command line', details });
    return reply.body;
  };
}
