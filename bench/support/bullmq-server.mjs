/**
 * The server that a user would write instead of Telecine: Fastify, which checks the token and the body by plugins and a schema as their
 * manuals show, and adds the body to a queue of BullMQ. Its argument is the port of Redis. It prints its URL and a token, and serves until
 * it is killed. It is not TypeScript, because `bullmq.ts` installs its packages, which are not dependencies of this repository.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import jwt from '@fastify/jwt';
import { Queue } from 'bullmq';
import Fastify from 'fastify';
import { Redis } from 'ioredis';

const text = { type: 'string', minLength: 1, maxLength: 4096 };
const body = {
  type: 'object',
  required: ['input', 'output'],
  additionalProperties: false,
  properties: {
    input: text,
    output: text,
    format: text,
    parameters: {
      type: 'object',
      maxProperties: 100,
      additionalProperties: { anyOf: [text, { type: 'array', items: text, minItems: 1, maxItems: 100 }] },
    },
  },
};

const connection = new Redis({ host: '127.0.0.1', port: Number(process.argv[2]), maxRetriesPerRequest: null });
const queue = new Queue('conversions', { connection });
const app = Fastify({ logger: false });
app.register(jwt, { secret: randomBytes(32) });
const onRequest = (request) => request.jwtVerify();
app.post('/api/conversion', { onRequest, schema: { body } }, async (request, reply) => {
  const jobId = randomUUID();
  await queue.add('convert', { clientId: request.user.sub, ...request.body }, { jobId });
  reply.code(202);
  return { jobId, status: 'PENDING', message: 'The job is queued for processing.' };
});
const url = await app.listen({ host: '127.0.0.1', port: 0 });
console.log(JSON.stringify({ url, token: app.jwt.sign({ sub: 'bench' }, { expiresIn: '1h' }) }));
