import { setTimeout as sleep } from 'node:timers/promises';
import type { Hint } from '@telecine/contract/domain/hint.ts';
import { type FieldError, Problem, type ProblemCode } from '@telecine/contract/domain/problem.ts';
import { v7 as uuid } from 'uuid';
import type { TaskStore } from './ports/task-store.ts';
import type { WorkerStore } from './ports/worker-store.ts';

/**
 * The result of a task, as a worker stores it. The cause of a `Problem` is left out: it is only for the log of the
 * worker.
 */
type TaskResult =
  | { readonly value: unknown }
  | {
      readonly problem: {
        readonly code: ProblemCode;
        readonly detail: string;
        readonly errors: readonly FieldError[];
        readonly fix?: Hint;
        readonly retryAfterSeconds?: number;
      };
    };

export const encodeValue = (value: unknown): string => JSON.stringify({ value } satisfies TaskResult);

export function encodeProblem({ code, message, errors, fix, retryAfterSeconds }: Problem): string {
  const problem = {
    ...{ code, detail: message, errors },
    ...(fix !== undefined && { fix }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
  return JSON.stringify({ problem } satisfies TaskResult);
}

function decodeResult(text: string): unknown {
  const result = JSON.parse(text) as TaskResult;
  if ('value' in result) return result.value;
  const { code, detail, ...more } = result.problem;
  throw new Problem(code, detail, more);
}

/** How often the result is polled, in ms. A probe takes about 100 ms. */
const POLL_MS = 100;

const RETRY_SECONDS = 5;

/** How many tasks of one kind a service waits for at the same time. Each is polled ten times a second. */
export const REMOTE_AT_ONCE = 16;

export interface WorkerTasks {
  readonly tasks: TaskStore;
  readonly workers: WorkerStore;
}

/** Thrown if no worker has stored the result of a task in time. */
export class NoResult extends Problem {
  /** true: no worker took the task. Perhaps none knows this kind of task. */
  readonly wasOpen: boolean;

  constructor(seconds: number, wasOpen: boolean) {
    super('UNAVAILABLE', `No worker answered within ${seconds} s. Retry in ${RETRY_SECONDS} s.`, {
      retryAfterSeconds: RETRY_SECONDS,
    });
    this.wasOpen = wasOpen;
  }
}

/**
 * Stores a task for workers and waits for its result. Throws the `Problem` of the task, `NoResult` after `seconds`, and
 * the reason of an abort.
 */
export async function requestTask(
  tasks: Pick<TaskStore, 'add' | 'result' | 'remove'>,
  task: { readonly kind: string; readonly clientId: string; readonly request: unknown },
  { seconds, signal }: { readonly seconds: number; readonly signal: AbortSignal },
): Promise<unknown> {
  const taskId = uuid();
  let wasOpen = false;
  await tasks.add({ ...task, taskId, request: JSON.stringify(task.request) }, seconds);
  try {
    for (const startMs = performance.now(); performance.now() - startMs < seconds * 1000; ) {
      await sleep(POLL_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
      const result = await tasks.result(taskId);
      if (result !== undefined) return decodeResult(result);
    }
  } finally {
    // If the removal fails too, the task is removed after its deadline.
    wasOpen = await tasks.remove(taskId).catch(() => false);
  }
  throw new NoResult(seconds, wasOpen);
}
