// A program that submits jobs to a store: `store-writer.ts FILE CLIENT COUNT`. It prints each job id when the submission
// has resolved. COUNT 0: forever. COUNT -1: one group whose last transaction never ends.
import { v7 as uuid } from 'uuid';
import { ORDINARY } from '../../packages/contract/src/domain/lane.ts';
import { ticketQueue } from '../../packages/service/src/queue/tickets.ts';
import { openSqlite } from '../../packages/service/src/store/sqlite/open.ts';

const [file = '', clientId = '', count = ''] = process.argv.slice(2);
const store = await openSqlite(file);
const queue = ticketQueue(store.database);

async function submit(): Promise<void> {
  const jobId = uuid();
  await store.transactions.run(async (tx) => {
    const createdAt = new Date().toISOString();
    const ids = { jobId, clientId, ...ORDINARY };
    const request = JSON.stringify({ input: 'a', output: 'b' });
    await store.jobs.insert(tx, [{ ...ids, request, createdAt }]);
    await queue.enqueue(tx, [{ ...ids, priority: 0 }]);
  });
  process.stdout.write(`${jobId}\n`);
}

const group = (): Promise<unknown> => Promise.all(Array.from({ length: 16 }, submit));

if (count === '-1') {
  void group();
  await store.transactions.run(() => {
    process.stdout.write('in the middle\n');
    setInterval(() => {}, 1000);
    return new Promise<never>(() => {});
  });
}
for (let done = 0; count === '0' || done < Number(count); done += 16) await group();
await store.close();
