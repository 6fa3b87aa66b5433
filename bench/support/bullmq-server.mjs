/**
 * The server that a user would write instead: Fastify, which parses the same body and adds it to a queue of BullMQ. It
 * has no authentication and no validation. Its argument is the port of Redis. It prints its URL and serves until it is
 * killed. Not TypeScript, because its packages are not among those of this repository: `bullmq.ts` installs them.
 */
import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import Fastify from 'fastify';
import { Redis } from 'ioredis';

const connection = new Redis({ host: '127.0.0.1', port: Number(process.argv[2]), maxRetriesPerRequest: null });
const queue = new Queue('conversions', { connection });
const app = Fastify({ logger: false });
app.post('/api/conversion', async (request, reply) => {
  const jobId = randomUUID();
  await queue.add('convert', request.body, { jobId });
  reply.code(202);
  return { jobId, status: 'PENDING', message: 'The job is queued for processing.' };
});
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
