import { createClients } from '../../../auth/clients/clients.ts';
import { configFromEnvironment } from '../../../config/environment.ts';
import { withAdminFile } from '../../compose/admin-client.ts';
import { openStore } from '../../compose/database.ts';
import { openMediaRoot } from '../../compose/media-root.ts';
import { findReservedPaths } from '../../compose/reserved-paths.ts';
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
  return {
    clients: withAdminFile(createClients({ ...store, now: Date.now }), config.dataDir),
    roots,
    close: () => store.close(),
  };
}
