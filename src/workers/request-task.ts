import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuid } from 'uuid';
import { Problem } from '../domain/problem.ts';
import type { TaskStore, WorkerStore } from './ports.ts';
import { decodeResult } from './task-result.ts';

/** How often the result is looked for. A probe takes some 100 ms. */
const POLL_MS = 100;

const RETRY_SECONDS = 5;

/** The most tasks of a kind for whose results a service waits at a time. It looks for each ten times a second. */
export const REMOTE_AT_ONCE = 16;

/** The tasks for workers, and the workers that take them. */
export interface WorkerTasks {
  readonly tasks: TaskStore;
  readonly workers: WorkerStore;
}

/** No worker gave the result of a task in time. */
export class NoResult extends Problem {
  /** Whether no worker took the task: none may know its kind. */
  readonly wasOpen: boolean;

  constructor(seconds: number, wasOpen: boolean) {
    super('UNAVAILABLE', `No worker answered within ${seconds} s. Retry in ${RETRY_SECONDS} s.`, {
      retryAfterSeconds: RETRY_SECONDS,
    });
    this.wasOpen = wasOpen;
  }
}

/**
 * Leaves a task to a worker and resolves to its result. Throws the `Problem` of the task, `NoResult` if no worker answers
 * within `seconds`, and the reason of an abort.
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
    // If this fails too, the task is removed after its deadline.
    wasOpen = await tasks.remove(taskId).catch(() => false);
  }
  throw new NoResult(seconds, wasOpen);
}
