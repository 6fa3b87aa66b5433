import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { EntryThread } from '../../jobs/enter.ts';
import type { Earlier, Entry } from '../../jobs/store-entries.ts';
import type { Store } from '../../store/open.ts';

const PROGRAM = join(import.meta.dirname, `write${extname(import.meta.filename)}`);

/** Without work the thread ends after so long, and its memory is free again (some 15 MB). */
const IDLE_MS = 30_000;

/** After a failure it is started no sooner. */
const PAUSE_MS = 30_000;

/** What the thread says to entries: JSON of `Entry[]`. To undefined it ends. */
export type Answer = { readonly earlier: Earlier } | { readonly error: unknown };

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
  let thread: Worker | undefined;
  let running = false;
  let notBefore = 0;
  const idle = setTimeout(() => void end(), IDLE_MS).unref();

  function start(): void {
    if (performance.now() < notBefore) return;
    const started = new Worker(PROGRAM, { workerData: dataDir });
    started.once('message', () => {
      running = thread === started;
    });
    started.once('error', (error) => {
      forget(started);
      notBefore = performance.now() + PAUSE_MS;
      onFault(error);
    });
    thread = started;
    idle.refresh();
  }

  function forget(one: Worker): void {
    if (thread !== one) return;
    thread = undefined;
    running = false;
  }

  async function end(): Promise<void> {
    const ending = thread;
    if (ending === undefined) return;
    forget(ending);
    ending.postMessage(undefined);
    // One that fails on its way has told why.
    await once(ending, 'exit').catch(() => {});
  }

  async function write(to: Worker, entries: readonly Entry[]): Promise<Earlier> {
    if (to !== thread) throw new Error('The thread has ended.');
    to.postMessage(JSON.stringify(entries));
    const [answer] = (await once(to, 'message')) as [Answer];
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
