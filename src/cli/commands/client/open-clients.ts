import { mkdir, realpath } from 'node:fs/promises';
import { createClients } from '../../../auth/clients.ts';
import { configFromEnvironment } from '../../../config/environment.ts';
import { withAdminFile } from '../../compose/admin-client.ts';
import { ownPlaces } from '../../compose/reserved-paths.ts';
import { openStore } from '../../compose/storage.ts';
import type { ClientAdministration } from './client.ts';

/** What `telecine client` works on, which may be in use by a service that runs. */
export async function openClients(): Promise<ClientAdministration & { close(): Promise<void> }> {
  const config = configFromEnvironment();
  const store = await openStore(config);
  await mkdir(config.mediaRoot, { recursive: true });
  const mediaRoot = await realpath(config.mediaRoot);
  return {
    clients: withAdminFile(createClients({ ...store, now: Date.now }), config.dataDir),
    mediaRoot,
    own: ownPlaces(config),
    close: () => store.close(),
  };
}
