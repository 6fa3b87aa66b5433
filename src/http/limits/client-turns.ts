/** How many requests of one client begin in one turn of the event loop. */
const PER_TURN = 4;

/**
 * Returns when a request of a client may begin: undefined for at once. However many requests of one client have arrived together,
 * those of others wait only for the few that begin in one turn of the event loop.
 */
export type ClientTurns = (clientId: string) => Promise<void> | undefined;

interface ClientTurn {
  started: number;
  readonly queue: (() => void)[];
}

/** Creates the turns. */
export function clientTurns(perTurn = PER_TURN): ClientTurns {
  /** The clients with requests in this turn. */
  const clients = new Map<string, ClientTurn>();

  const endTurn = (): void => {
    for (const [clientId, turn] of clients) {
      const starts = turn.queue.splice(0, perTurn);
      if (starts.length === 0) clients.delete(clientId);
      turn.started = starts.length;
      for (const start of starts) start();
    }
    if (clients.size > 0) setImmediate(endTurn);
  };

  return (clientId) => {
    if (clients.size === 0) setImmediate(endTurn);
    const turn = clients.get(clientId) ?? { started: 0, queue: [] };
    clients.set(clientId, turn);
    if (turn.started < perTurn) {
      turn.started += 1;
      return undefined;
    }
    return new Promise((resolve) => turn.queue.push(resolve));
  };
}
