import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { batchState } from '../../domain/batch.ts';
import type { Caller } from '../../domain/client.ts';
import type { BatchToRead } from '../../jobs/batches.ts';
import type { LongReadOptions } from '../../jobs/job-reads.ts';
import { type BatchView, batchStateView, batchView } from '../../wire/batch.ts';
import { jobView } from '../../wire/job-view.ts';

/** If the jobs of a batch have more stored bytes, the reply is sent in pieces. */
const WHOLE_BYTES = 1024 * 1024;

/**
 * Replies with a batch. Its jobs can have a hundred megabytes together: then each is read and sent when the client has taken
 * those before, and `count` gets its bytes.
 */
export async function sendBatch(
  reply: FastifyReply,
  found: BatchToRead,
  caller: Caller,
  { count, ...options }: LongReadOptions & { readonly count: (bytes: number) => void },
): Promise<BatchView | FastifyReply> {
  if (found.bytes <= WHOLE_BYTES) return batchView({ ...found.batch, jobs: await found.allJobs(options) }, caller);
  return reply
    .type('application/json; charset=utf-8')
    .send(Readable.from(texts(found, caller, count), { highWaterMark: 1 }));
}

async function* texts({ batch, states, jobs }: BatchToRead, caller: Caller, count: (bytes: number) => void) {
  const { links, ...shown } = batchStateView(batchState(batch, states));
  yield `${JSON.stringify(shown).slice(0, -1)},"jobs":[`;
  let separator = '';
  for await (const job of jobs()) {
    const text = separator + JSON.stringify(jobView(job, caller));
    count(text.length);
    yield text;
    separator = ',';
  }
  yield `],"links":${JSON.stringify(links)}}`;
}
