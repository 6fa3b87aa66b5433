// What the thread of `thread.ts` runs: a store of its own on the same database, and the one write it is there for.
import { parentPort, workerData } from 'node:worker_threads';
import { type Entry, storeEntries } from '../../../jobs/submit/insert-jobs.ts';
import { ticketQueue } from '../../../queue/tickets.ts';
import { openStore } from '../storage.ts';
import { entriesOf } from './message.ts';
import type { Answer } from './thread.ts';

const store = await openStore({ dataDir: workerData as string });
const deps = { ...store, queue: ticketQueue(store.database), now: () => new Date() };

async function write(entries: readonly Entry[]): Promise<Answer> {
  try {
    return { earlier: await store.transactions.run((tx) => storeEntries(deps, tx, entries)) };
  } catch (error) {
    return { error };
  }
}

parentPort?.on('message', async (asked: string | undefined) => {
  if (asked !== undefined) parentPort?.postMessage(await write(entriesOf(asked)));
  else {
    await store.close();
    parentPort?.close();
  }
});
parentPort?.postMessage('running');
