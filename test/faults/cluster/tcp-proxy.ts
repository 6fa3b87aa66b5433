import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * How a network between two hosts fails. 'refuse': connections end at once, and new ones too. 'reset': open connections
 * end with RST, new ones work. 'stall': packets are lost without a word, and new connections get no answer.
 */
export type Cut = 'refuse' | 'reset' | 'stall';

/** A TCP proxy on a loopback port that can fail like a network. */
export interface TcpProxy {
  readonly port: number;
  cut(how: Cut): void;
  /** Lets data flow again. Connections that stalled go on. */
  heal(): void;
  close(): Promise<void>;
}

/** Starts a proxy to `target`, a port of 127.0.0.1. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  let state: 'open' | 'refuse' | 'stall' = 'open';
  const pairs = new Set<readonly [Socket, Socket]>();
  const flow = ([client, server]: readonly [Socket, Socket]): void => {
    client.pipe(server);
    server.pipe(client);
  };
  const hold = ([client, server]: readonly [Socket, Socket]): void => {
    client.unpipe(server).pause();
    server.unpipe(client).pause();
  };
  const listener = createServer({ pauseOnConnect: true }, (client) => {
    client.on('error', () => {});
    if (state === 'refuse') {
      client.resetAndDestroy();
      return;
    }
    const server = connect(target, '127.0.0.1');
    const pair = [client, server] as const;
    pairs.add(pair);
    server.on('error', () => {});
    for (const [one, other] of [pair, pair.toReversed()] as [Socket, Socket][])
      one.once('close', () => {
        pairs.delete(pair);
        other.destroy();
      });
    if (state === 'open') flow(pair);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('The port is unknown.');
  const resetAll = (): void => {
    for (const [client, server] of pairs) {
      client.resetAndDestroy();
      server.resetAndDestroy();
    }
  };
  return {
    port: address.port,
    cut(how) {
      if (how !== 'reset') state = how;
      if (how === 'stall') for (const pair of pairs) hold(pair);
      else resetAll();
    },
    heal() {
      if (state === 'stall') for (const pair of pairs) flow(pair);
      state = 'open';
    },
    async close() {
      resetAll();
      listener.close();
      await once(listener, 'close');
    },
  };
}
