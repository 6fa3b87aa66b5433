import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { EntryThread } from '../../../jobs/submit/insert-batcher.ts';
import type { Earlier, Entry } from '../../../jobs/submit/insert-jobs.ts';
import type { Store } from '../../../store/open.ts';
import { messageOf } from './message.ts';

const PROGRAM = join(import.meta.dirname, `write${extname(import.meta.filename)}`);

/** Without work the thread ends after so long, and its memory is free again (some 15 MB). */
const IDLE_MS = 30_000;

/** After a failure it is started no sooner. */
const PAUSE_MS = 30_000;

/** What the thread says to entries, which come as `messageOf` writes them. To undefined it ends. */
export type Answer = { readonly earlier: Earlier } | { readonly error: unknown };

interface Thread {
  readonly worker: Worker;
  /** What it is to answer next; once it is gone, however it ended, it never will. */
  pending?: PromiseWithResolvers<Answer>;
}

/**
 * Writes what comes in bursts in a thread of its own, so that neither SQLite nor the disk holds up the event loop. The
 * thread starts when it is first asked for; meanwhile, and where it cannot run (`onFault` hears why), it takes nothing.
 * `aside`: keeps its writes and those of this thread apart, so that neither sleeps on the other's lock.
 */
export function entryThread(
  dataDir: string,
  { aside }: Pick<Store, 'aside'>,
  onFault: (error: unknown) => void,
): EntryThread & { close(): Promise<void> } {
  let thread: Thread | undefined;
  let running = false;
  let notBefore = 0;
  const idle = setTimeout(() => void end(), IDLE_MS).unref();

  function start(): void {
    if (performance.now() < notBefore) return;
    try {
      const worker = new Worker(PROGRAM, { workerData: dataDir });
      const started: Thread = { worker };
      worker.on('message', (said: Answer | 'running') => {
        if (said === 'running') running = thread === started;
        else started.pending?.resolve(said);
      });
      worker.once('error', (error) => fail(started, error));
      worker.once('exit', () => started.pending?.reject(new Error('The thread has ended.')));
      thread = started;
      idle.refresh();
    } catch (error) {
      // The system has no thread to give.
      fail(undefined, error);
    }
  }

  function fail(which: Thread | undefined, error: unknown): void {
    forget(which);
    notBefore = performance.now() + PAUSE_MS;
    onFault(error);
  }

  function forget(which: Thread | undefined): void {
    if (thread !== which) return;
    thread = undefined;
    running = false;
  }

  async function end(): Promise<void> {
    const ending = thread;
    if (ending === undefined) return;
    forget(ending);
    ending.worker.postMessage(undefined);
    // One that fails on its way has told why.
    await once(ending.worker, 'exit').catch(() => {});
  }

  async function write(to: Thread, entries: readonly Entry[]): Promise<Earlier> {
    if (to !== thread) throw new Error('The thread has ended.');
    to.pending = Promise.withResolvers();
    to.worker.postMessage(messageOf(entries));
    const answer = await to.pending.promise;
    idle.refresh();
    if ('error' in answer) throw answer.error;
    return answer.earlier;
  }

  return {
    offer(entries) {
      if (thread === undefined) start();
      const to = thread;
      return to !== undefined && running ? aside(() => write(to, entries)) : undefined;
    },
    async close() {
      clearTimeout(idle);
      await end();
    },
  };
}
