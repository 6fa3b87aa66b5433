import { type ClientAdministration, clientAdministration } from '../../auth/client-administration.ts';
import { createClients } from '../../auth/clients.ts';
import { readClientLimits } from '../../config/client-limits.ts';
import type { Config } from '../../config/config.ts';
import type { Finding } from '../../domain/finding.ts';
import type { Store } from '../../store/store.ts';
import { withAdminFile } from './admin-client.ts';
import { clientRoots } from './client-roots/client-roots.ts';

/** The clients for administrators over HTTP. What they need is opened at the first call, because most services get none. */
export function openClientAdministration(
  config: Config,
  store: Pick<Store, 'clients' | 'refreshTokens'>,
): ClientAdministration {
  let opened: Promise<ClientAdministration> | undefined;
  let current: ClientAdministration | undefined;
  const open = (): Promise<ClientAdministration> => {
    opened ??= clientRoots(config).then(
      (roots) => {
        current = clientAdministration({
          clients: withAdminFile(createClients({ ...store, now: Date.now }), config.dataDir),
          roots,
          readLimits: readClientLimits,
        });
        return current;
      },
      (error: unknown) => {
        opened = undefined;
        throw error;
      },
    );
    return opened;
  };
  return {
    add: async (...args) => (await open()).add(...args),
    get: async (...args) => (await open()).get(...args),
    list: async () => (await open()).list(),
    change: async (...args) => (await open()).change(...args),
    rotate: async (...args) => (await open()).rotate(...args),
    revoke: async (...args) => (await open()).revoke(...args),
    // A client was read before, so it is open.
    shownRoot: (client) => current?.shownRoot(client) ?? '',
  };
}

/** Runs the checks of `telecine doctor` in a running service. Requests at the same time get the same result. */
export function openDoctor(
  config: Config,
  { store, runsJobs }: { readonly store: Pick<Store, 'ping' | 'workers'>; readonly runsJobs: boolean },
): () => Promise<readonly Finding[]> {
  let running: Promise<readonly Finding[]> | undefined;
  return () => {
    running ??= import('./doctor.ts')
      .then(({ runChecks }) => runChecks(config, { store, ...(!runsJobs && { worker: false }) }))
      .finally(() => {
        running = undefined;
      });
    return running;
  };
}
