import type { TaskTurns } from './ports.ts';

/** The clients whose tasks of one kind a worker runs, for their turns. */
export interface TaskClients {
  /** How many tasks run. */
  count(): number;
  add(clientId: string): void;
  remove(clientId: string): void;
  /** Full are the clients at their limit. Served are those that have a task or had the last one. */
  turns(): TaskTurns;
}

/** Counts tasks. `perClient`: the most tasks of one client. */
export function taskClients({ perClient }: { readonly perClient: number }): TaskClients {
  const counts = new Map<string, number>();
  let last: string | undefined;
  return {
    count: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
    add: (clientId) => {
      counts.set(clientId, (counts.get(clientId) ?? 0) + 1);
      last = clientId;
    },
    remove: (clientId) => {
      const count = (counts.get(clientId) ?? 0) - 1;
      if (count > 0) counts.set(clientId, count);
      else counts.delete(clientId);
    },
    turns: () => ({
      full: [...counts].flatMap(([clientId, count]) => (count >= perClient ? [clientId] : [])),
      served: [...counts.keys(), ...(last === undefined ? [] : [last])],
    }),
  };
}
