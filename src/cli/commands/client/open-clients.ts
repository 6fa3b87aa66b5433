import { createAuditLog } from '../../../audit/audit-log.ts';
import { createClients } from '../../../auth/clients/clients.ts';
import { configFromEnvironment } from '../../../config/environment.ts';
import { withAdminFile } from '../../compose/admin-client.ts';
import { openStore } from '../../compose/database.ts';
import { openMediaRoot } from '../../compose/media-root.ts';
import { findReservedPaths } from '../../compose/reserved-paths.ts';
import { auditedClients } from './audited-clients.ts';
import { folderRoots } from './client-roots.ts';
import type { ClientAdministration } from './run.ts';

/** Opens the clients in the store for `telecine client`. A running service may have the store open too. */
export async function openClients(): Promise<ClientAdministration & { close(): Promise<void> }> {
  const config = configFromEnvironment();
  const roots =
    config.storage === undefined
      ? folderRoots(openMediaRoot(config), findReservedPaths(config))
      : (await import('./prefix-roots.ts')).prefixRoots(config, config.storage);
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
