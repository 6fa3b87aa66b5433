/** A worker thread that opens connections, sends a text on each, and reads nothing. It closes them at a message of its parent thread. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

export interface Hold {
  readonly host: string;
  readonly port: number;
  readonly count: number;
  /** The local addresses of the connections, in turns. */
  readonly addresses: readonly string[];
  readonly text: string;
}

/** How many connections are opened at the same time. The queue of a listening socket is short. */
const AT_ONCE = 50;

const { host, port, count, addresses, text } = workerData as Hold;

async function open(index: number): Promise<Socket> {
  const localAddress = addresses[index % addresses.length];
  const socket = connect({ host, port, ...(localAddress !== undefined && { localAddress }) });
  // A paused socket reads nothing, so that the reply fills the buffers of the kernel.
  socket.on('error', () => {}).pause();
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

const sockets: Socket[] = [];
for (let from = 0; from < count; from += AT_ONCE)
  sockets.push(
    ...(await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, i) => open(from + i)))),
  );
parentPort?.once('message', () => {
  for (const socket of sockets) socket.destroy();
  parentPort?.close();
});
parentPort?.postMessage('open');
