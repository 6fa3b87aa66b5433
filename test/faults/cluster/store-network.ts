import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type FaultOf, s3FaultServer } from '../../support/s3-fault-server.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** The network between one service and the object store. */
export interface StoreNetwork {
  /** The address of the store for this service. */
  readonly endpoint: string;
  /** Packets and connections. */
  readonly network: TcpProxy;
  /** Gives requests faults from now on; undefined ends that. */
  disturb(faultOf: FaultOf | undefined): void;
  /** Requests that got a fault. */
  disturbed(): number;
  close(): Promise<void>;
}

/** Starts a network to an S3 server on a loopback port. */
export async function startStoreNetwork(endpoint: string): Promise<StoreNetwork> {
  const network = await startTcpProxy(Number(new URL(endpoint).port));
  let current: FaultOf | undefined;
  let count = 0;
  const server = s3FaultServer(`http://127.0.0.1:${network.port}`, async (request) => {
    const fault = await current?.(request);
    if (fault !== undefined) count += 1;
    return fault;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    network,
    disturb: (faultOf) => {
      current = faultOf;
    },
    disturbed: () => count,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await network.close();
    },
  };
}
