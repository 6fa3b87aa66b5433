import { Problem } from '@telecine/contract/domain/problem.ts';
import { StoreUnavailable } from '@telecine/contract/domain/store-errors.ts';
import type { OpenTask, TaskStore, TaskTurns } from './ports/task-store.ts';
import { encodeProblem, encodeValue } from './request-task.ts';

/**
 * Counts the running tasks of one kind by client, so that clients take turns. `perClient`: how many tasks of one client
 * may run at the same time.
 */
export function taskClients({ perClient }: { readonly perClient: number }) {
  const counts = new Map<string, number>();
  let last: string | undefined;
  return {
    count: (): number => [...counts.values()].reduce((sum, count) => sum + count, 0),
    add: (clientId: string): void => {
      counts.set(clientId, (counts.get(clientId) ?? 0) + 1);
      last = clientId;
    },
    remove: (clientId: string): void => {
      const count = (counts.get(clientId) ?? 0) - 1;
      if (count > 0) counts.set(clientId, count);
      else counts.delete(clientId);
    },
    /**
     * Returns which clients must wait. `full`: those at their limit. `served`: those with running tasks, and the client
     * of the last task.
     */
    turns: (): TaskTurns => ({
      full: [...counts].flatMap(([clientId, count]) => (count >= perClient ? [clientId] : [])),
      served: [...counts.keys(), ...(last === undefined ? [] : [last])],
    }),
  };
}

/** A kind of task that a worker runs for other machines. */
export interface TaskKind {
  readonly kind: string;
  /** Runs a task. Its result must be plain JSON. Throws `Problem`. */
  readonly run: (clientId: string, request: unknown, signal: AbortSignal) => Promise<unknown>;
  /** How many tasks of this kind may run at the same time. */
  readonly slots: number;
  /** How many tasks of this kind may run at the same time for one client. */
  readonly perClient: number;
}

interface TaskRunnerDeps {
  readonly tasks: Pick<TaskStore, 'openKinds' | 'take' | 'renew' | 'finish' | 'removeExpired'>;
  readonly workerId: string;
  readonly kinds: readonly TaskKind[];
  /** Returns whether this worker may take tasks. It need not if its machine is not ready and another worker is. */
  readonly mayTake: () => Promise<boolean>;
  readonly onInternalError: (error: unknown) => void;
}

/** How often a worker looks for tasks. On average, that delays a probe by half of this time. */
const POLL_MS = 200;

/**
 * How often a worker looks for tasks after `IDLE_AFTER_MS` without any. It looks less often, because probes usually
 * come in groups.
 */
const IDLE_POLL_MS = 1000;
const IDLE_AFTER_MS = 60_000;

/** The duration of a lease. It is short, so that another worker can take over a task while its service still waits. */
const LEASE_SECONDS = 5;
const RENEWAL_MS = 1500;
const CLEANING_MS = 60_000;

export type TaskRunner = ReturnType<typeof startTaskRunner>;

/** Runs the tasks that other machines leave to workers. */
export function startTaskRunner(deps: TaskRunnerDeps) {
  const { tasks, workerId, kinds, onInternalError } = deps;
  const runners = kinds.map((kind) => ({ kind, clients: taskClients(kind) }));
  const running = new Set<Promise<void>>();
  let looking: Promise<void> | undefined;
  let foundAt = Number.NEGATIVE_INFINITY;
  let isDraining = false;
  const onError = (error: unknown): void => {
    // Do not log an outage here, because other code logs it once.
    if (!(error instanceof StoreUnavailable)) onInternalError(error);
  };

  const run = async ({ taskId, clientId, request }: OpenTask, kind: TaskKind): Promise<void> => {
    const stop = new AbortController();
    const renewal = setInterval(() => {
      tasks.renew(taskId, workerId, LEASE_SECONDS).then(
        (isOurs) => {
          if (!isOurs) stop.abort();
        },
        // A later renewal may succeed. If none does, another worker runs the task too.
        () => {},
      );
    }, RENEWAL_MS);
    try {
      const value = await kind.run(clientId, JSON.parse(request), stop.signal);
      await tasks.finish(taskId, workerId, encodeValue(value));
    } catch (error) {
      if (stop.signal.aborted) return;
      if (!(error instanceof Problem)) onError(error);
      const problem = error instanceof Problem ? error : INTERNAL;
      await tasks.finish(taskId, workerId, encodeProblem(problem)).catch(onError);
    } finally {
      clearInterval(renewal);
    }
  };

  const look = async (): Promise<void> => {
    try {
      const free = runners.filter(({ kind, clients }) => clients.count() < kind.slots);
      if (free.length === 0) return;
      // Read all kinds in one query, because there is seldom a task.
      const open = await tasks.openKinds(free.map(({ kind }) => kind.kind));
      if (open.length === 0 || !(await deps.mayTake())) return;
      foundAt = performance.now();
      for (const { kind, clients } of free.filter(({ kind: { kind } }) => open.includes(kind)))
        while (clients.count() < kind.slots) {
          const task = await tasks.take(kind.kind, workerId, LEASE_SECONDS, clients.turns());
          if (task === undefined) break;
          clients.add(task.clientId);
          const done = run(task, kind).finally(() => {
            running.delete(done);
            clients.remove(task.clientId);
          });
          running.add(done);
        }
    } catch (error) {
      onError(error);
    }
  };

  let polling: NodeJS.Timeout;
  const poll = (): void => {
    const pollMs = performance.now() - foundAt < IDLE_AFTER_MS ? POLL_MS : IDLE_POLL_MS;
    polling = setTimeout(
      () => {
        looking = look();
        void looking.then(() => {
          if (!isDraining) poll();
        });
      },
      pollMs * (0.75 + Math.random() / 2),
    );
  };
  poll();
  const cleaning = setInterval(() => void tasks.removeExpired().catch(onError), CLEANING_MS);
  return {
    /** Stops taking tasks. Resolves when no task runs. */
    drain: async (): Promise<void> => {
      isDraining = true;
      clearTimeout(polling);
      clearInterval(cleaning);
      await looking;
      await Promise.all(running);
    },
  };
}

const INTERNAL = new Problem('UNAVAILABLE', 'A worker had an internal error, which is in its log. Retry in 5 s.', {
  retryAfterSeconds: 5,
});
