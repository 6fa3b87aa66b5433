import { mkdir, realpath } from 'node:fs/promises';
import { posix, resolve } from 'node:path';
import pLimit from 'p-limit';
import type { Scope } from '../../packages/contract/src/domain/client.ts';
import type { ClientLimitChanges } from '../../packages/contract/src/domain/client-limits.ts';
import { createClients } from '../../packages/service/src/auth/clients.ts';
import { openStore } from '../../packages/service/src/start/database.ts';
import type { ClientCredentials } from './api-client.ts';
import type { TestServer } from './server.ts';

/** The options of `telecine client add`. */
interface NewClient {
  /** Relative to the media root of the server. Created if it is missing. */
  readonly root?: string;
  readonly scopes?: readonly Scope[];
  readonly limits?: ClientLimitChanges;
}

/** `databaseUrl`: the PostgreSQL database of the server, if it has one. */
type Folders = Pick<TestServer, 'dataDir' | 'mediaRoot'> &
  Partial<Pick<TestServer, 'databaseUrl' | 'settings' | 'part'>>;

/** SQLite blocks the whole process while it waits for a lock, so it would never get one that this process holds. */
const oneAtATime = pLimit(1);

/** The name that `insertClient` gives to a client: on a common server, each test file has names of its own. */
export const clientName = ({ part }: Pick<TestServer, 'part'>, name: string): string =>
  part === undefined ? name : `${part}-${name}`;

/**
 * Inserts a client into the database of a running server. Much faster than `telecine client add`, which is a process of
 * its own.
 */
export const insertClient = (server: Folders, name: string, member: NewClient = {}): Promise<ClientCredentials> =>
  oneAtATime(() => add(server, name, member));

/** Inserts a client for a subject of the external issuer. */
export const insertExternalClient = (server: Folders, name: string, subject: string): Promise<void> =>
  oneAtATime(() =>
    withClients(server, async (clients) => {
      await clients.addExternal(name, subject);
    }),
  );

async function add(server: Folders, name: string, { root, ...options }: NewClient): Promise<ClientCredentials> {
  const { part } = server;
  // On a common server, a client without a root has that of its test file.
  const own = root ?? (part === undefined ? undefined : '.');
  const folder = own === undefined ? undefined : await folderOf(server, own);
  return withClients(server, async (clients) => {
    const { client, clientSecret } = await clients.add(clientName(server, name), {
      ...options,
      ...(folder === undefined ? {} : { root: folder }),
    });
    return { clientId: client.clientId, clientSecret };
  });
}

async function withClients<T>(
  server: Folders,
  work: (clients: ReturnType<typeof createClients>) => Promise<T>,
): Promise<T> {
  const store = await openStore({
    dataDir: server.dataDir,
    ...(server.databaseUrl !== undefined && { databaseUrl: server.databaseUrl }),
  });
  try {
    return await work(createClients({ ...store, now: Date.now }));
  } finally {
    await store.close();
  }
}

/** The root as a client's record has it: a folder of a disk, or a prefix in a bucket. */
async function folderOf({ mediaRoot, settings = {}, part = '' }: Folders, root: string): Promise<string> {
  if ('TELECINE_STORAGE' in settings) return posix.join(part, root);
  const folder = resolve(mediaRoot, root);
  await mkdir(folder, { recursive: true });
  return realpath(folder);
}
