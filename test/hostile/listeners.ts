import { createSocket } from 'node:dgram';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Listeners on loopback that count connections and close them at once. */
export interface Listeners {
  /** `host:port` of the TCP and the UDP listener. */
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
  const tcp = createServer(hangUp);
  const unix = createServer(hangUp);
  const udp = createSocket('udp4', () => {
    connections += 1;
  });
  await new Promise<void>((done) => tcp.listen(0, '127.0.0.1', done));
  const { port } = tcp.address() as AddressInfo;
  await new Promise<void>((done) => unix.listen(path, done));
  await new Promise<void>((done) => udp.bind(port, '127.0.0.1', done));
  return {
    address: `127.0.0.1:${port}`,
    connections: () => connections,
    close() {
      tcp.close();
      unix.close();
      udp.close();
    },
  };
}
