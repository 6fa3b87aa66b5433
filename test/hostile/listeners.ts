import { createSocket } from 'node:dgram';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Who listens, on this machine alone, and hangs up at once. */
export interface Listeners {
  /** `host:port`, of TCP and of UDP. */
  readonly address: string;
  /** The number of connections so far, by any protocol. */
  connections(): number;
  close(): void;
}

/** @param path The path of a Unix socket to listen on as well. */
export async function startListeners(path: string): Promise<Listeners> {
  let connections = 0;
  const hangUp = (client: Socket): void => {
    connections += 1;
    client.destroy();
  };
  const streams = createServer(hangUp);
  const inFiles = createServer(hangUp);
  const datagrams = createSocket('udp4', () => {
    connections += 1;
  });
  await new Promise<void>((done) => streams.listen(0, '127.0.0.1', done));
  const { port } = streams.address() as AddressInfo;
  await new Promise<void>((done) => inFiles.listen(path, done));
  await new Promise<void>((done) => datagrams.bind(port, '127.0.0.1', done));
  return {
    address: `127.0.0.1:${port}`,
    connections: () => connections,
    close() {
      streams.close();
      inFiles.close();
      datagrams.close();
    },
  };
}
