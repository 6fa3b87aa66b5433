import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createClients } from '../../packages/service/src/auth/clients.ts';
import { openStore } from '../../packages/service/src/start/database.ts';

/** What a listener follows, and with which token. */
export interface Followed {
  readonly path: string;
  readonly token: string;
  /** The stream continues after the event with this id, without a snapshot. */
  readonly lastEventId?: string;
}

/** Adds clients to the database of a service, and obtains a token of each. */
export async function addClients(
  url: string,
  database: { readonly dataDir: string; readonly databaseUrl?: string },
  names: readonly string[],
): Promise<readonly string[]> {
  const store = await openStore(database);
  try {
    const clients = createClients({ ...store, now: Date.now });
    const tokens: string[] = [];
    for (const name of names) {
      const { clientSecret } = await clients.add(name, {});
      const reply = await fetch(`${url}/api/auth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ clientId: name, clientSecret }),
      });
      tokens.push(((await reply.json()) as { accessToken: string }).accessToken);
    }
    return tokens;
  } finally {
    await store.close();
  }
}

/** Open event streams, whose bytes are read and dropped. */
export interface Listeners {
  /** The number of bytes that all streams have received. */
  bytes(): number;
  /** The id in the event `ready` of one stream. */
  readyId(): string;
  close(): Promise<void>;
}

/** Opens streams and waits until each has its snapshot. Uses plain sockets, which need little processor time. */
export async function listen(url: string, followed: readonly Followed[]): Promise<Listeners> {
  const { hostname, port } = new URL(url);
  let bytes = 0;
  let readyId = '';
  const open = async ({ path, token, lastEventId }: Followed): Promise<Socket> => {
    const socket = connect({ host: hostname, port: Number(port) });
    const last = lastEventId === undefined ? '' : `last-event-id: ${lastEventId}\r\n`;
    socket.write(`GET ${path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\n${last}\r\n`);
    // A stream of one job has no event `ready`, so wait for its snapshot.
    const end = path === '/api/events' ? '\nevent: ready\n' : '\nevent: snapshot\n';
    const started = new Promise<void>((resolve, reject) => {
      let tail: string | undefined = '';
      socket.on('data', (data) => {
        if (socket.bytesRead === data.length && !data.toString('latin1').startsWith('HTTP/1.1 200'))
          reject(new Error(data.toString('latin1')));
        bytes += data.length;
        if (tail === undefined) return;
        tail += data.toString('latin1');
        if (tail.includes(end)) {
          readyId = /id: (\d+)\nevent: ready/.exec(tail)?.[1] ?? readyId;
          tail = undefined;
          resolve();
        } else tail = tail.slice(-100);
      });
      socket.once('error', reject);
    });
    await started;
    return socket;
  };
  const sockets: Socket[] = [];
  // Open 50 at a time, because the queue of the listening socket is short.
  for (let i = 0; i < followed.length; i += 50)
    sockets.push(...(await Promise.all(followed.slice(i, i + 50).map(open))));
  return {
    bytes: () => bytes,
    readyId: () => readyId,
    close: async () => {
      await Promise.all(
        sockets.map((socket) => {
          const closed = once(socket, 'close');
          socket.destroy();
          return closed;
        }),
      );
    },
  };
}
