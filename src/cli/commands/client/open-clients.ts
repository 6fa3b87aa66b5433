import { createAuditLog } from '../../../audit/audit-log.ts';
import { createClients } from '../../../auth/clients.ts';
import { configFromEnvironment } from '../../../config/environment.ts';
import { withAdminFile } from '../../compose/admin-client.ts';
import { clientRoots } from '../../compose/client-roots/client-roots.ts';
import { openStore } from '../../compose/database.ts';
import { auditedClients } from './audited-clients.ts';
import type { ClientAdministration } from './run.ts';

/** Opens the clients in the store for `telecine client`. A running service may have the store open too. */
export async function openClients(): Promise<ClientAdministration & { close(): Promise<void> }> {
  const config = configFromEnvironment();
  const roots = await clientRoots(config);
  const store = await openStore(config);
  const audit = createAuditLog({
    store: store.audit,
    onLost: (_records, error) =>
      console.error('The change is not in the audit log:', error instanceof Error ? error.message : error),
  });
  return {
    clients: auditedClients(withAdminFile(createClients({ ...store, now: Date.now }), config.dataDir), audit),
    roots,
    close: async () => {
      await audit.close();
      await store.close();
    },
  };
}
