import { createClients } from '../../../auth/clients/clients.ts';
import { configFromEnvironment } from '../../../config/environment.ts';
import { withAdminFile } from '../../compose/admin-client.ts';
import { openStore } from '../../compose/database.ts';
import { openMediaRoot } from '../../compose/media-root.ts';
import { findReservedPaths } from '../../compose/reserved-paths.ts';
import type { ClientAdministration } from './run.ts';

/** Opens the clients in the store for `telecine client`. A running service may have the store open too. */
export async function openClients(): Promise<ClientAdministration & { close(): Promise<void> }> {
  const config = configFromEnvironment();
  const mediaRoot = openMediaRoot(config);
  const store = await openStore(config);
  return {
    clients: withAdminFile(createClients({ ...store, now: Date.now }), config.dataDir),
    mediaRoot,
    reserved: findReservedPaths(config),
    close: () => store.close(),
  };
}
