import type { FastifyRequest } from 'fastify';
import { addressKey } from '../../auth/address-key.ts';

/** How many requests of one client may begin in one turn of the event loop. */
const PER_TURN = 4;

/**
 * After a turn of the event loop that took longer than this, only one request of each client begins in the next turn. A
 * tool call takes 1 to 3 ms.
 */
const LONG_TURN_MS = 2;

/**
 * Resolves when a request of a client may begin. undefined: it may begin at once. So a burst of one client delays other
 * clients by only one turn of the event loop.
 */
export type ClientTurns = (clientId: string) => Promise<void> | undefined;

interface ClientTurn {
  started: number;
  readonly queue: (() => void)[];
}

/** Creates the function that gives clients their turns. `now`: a clock in milliseconds. */
export function clientTurns(perTurn = PER_TURN, now = () => performance.now()): ClientTurns {
  /** The clients with requests in this turn of the event loop. */
  const clients = new Map<string, ClientTurn>();
  let begin = 0;
  let most = perTurn;

  const waitForEnd = (): void => {
    begin = now();
    setImmediate(endTurn);
  };

  const endTurn = (): void => {
    most = now() - begin > LONG_TURN_MS ? 1 : perTurn;
    for (const [clientId, turn] of clients) {
      const starts = turn.queue.splice(0, most);
      if (starts.length === 0) clients.delete(clientId);
      turn.started = starts.length;
      for (const start of starts) start();
    }
    if (clients.size > 0) waitForEnd();
  };

  return (clientId) => {
    if (clients.size === 0) {
      most = perTurn;
      waitForEnd();
    }
    const turn = clients.get(clientId) ?? { started: 0, queue: [] };
    clients.set(clientId, turn);
    if (turn.started < most) {
      turn.started += 1;
      return undefined;
    }
    return new Promise((resolve) => turn.queue.push(resolve));
  };
}

declare module 'fastify' {
  interface FastifyInstance {
    addressTurns: AddressTurns;
  }
}

/**
 * Resolves when a request without a valid token may begin or be rejected. undefined: at once. The requests of one
 * address take turns. Each `kind` of request has turns of its own, so that health checks do not wait for rejected
 * tokens.
 */
type AddressTurns = (request: Pick<FastifyRequest, 'callerAddress'>, kind?: string) => Promise<void> | undefined;

export const addressTurns =
  (turns = clientTurns()): AddressTurns =>
  ({ callerAddress }, kind = 'refused') =>
    turns(`${kind} ${addressKey(callerAddress)}`);
