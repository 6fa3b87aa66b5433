import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A TCP proxy for the current test whose connections break. */
export interface CuttingProxy {
  readonly url: string;
  /** The bytes that clients have sent. */
  sentBytes(): number;
  /** Forwards new connections to another service. undefined: refuses them. */
  forwardTo(url: string | undefined): void;
  /** Breaks all connections. */
  cut(): void;
}

/** Starts a proxy before the service at `url`. `onSent`: called when a client has sent more. */
export async function startCuttingProxy(
  url: string,
  onSent: (proxy: CuttingProxy) => void = () => {},
): Promise<CuttingProxy> {
  let target: string | undefined = url;
  let sentBytes = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    if (target === undefined) {
      client.destroy();
      return;
    }
    const { hostname, port } = new URL(target);
    const service = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, service],
      [service, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
    client.on('data', (chunk: Buffer) => {
      sentBytes += chunk.length;
      onSent(proxy);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: CuttingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sentBytes: () => sentBytes,
    forwardTo: (next) => {
      target = next;
    },
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
  onTestFinished(() => {
    proxy.cut();
    server.close();
  });
  return proxy;
}
