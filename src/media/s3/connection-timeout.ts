import type { Agent } from 'node:http';
import { Socket } from 'node:net';

/**
 * Limits how long an agent takes to connect. The option `connectionTimeout` of the SDK would also count how long a request
 * waits for one of the agent's connections, which other requests use for as long as they read a large object.
 */
export function withConnectionTimeout<T extends Agent>(agent: T, timeoutMs: number): T {
  const create = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const socket = create(options, callback);
    if (socket instanceof Socket && socket.connecting) {
      // The SDK repeats a request that fails with this code.
      const error = Object.assign(new Error(`No connection within ${timeoutMs} ms.`), { code: 'ETIMEDOUT' });
      const timer = setTimeout(() => socket.destroy(error), timeoutMs);
      const clear = (): void => clearTimeout(timer);
      socket.once('connect', clear).once('close', clear);
    }
    return socket;
  };
  return agent;
}
