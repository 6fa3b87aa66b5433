/**
 * The least that a Fastify server does with a submission: parses the same body, sends a reply of the same size. No
 * authentication, no validation, no storage, no log. Takes that reply's body and the bytes of its header fields;
 * prints its address and serves until it is ended.
 */
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';

const [message = '', padding = ''] = process.argv.slice(2);
const app = Fastify({ logger: false });
app.post('/api/conversion', (request, reply) => {
  if (typeof request.body !== 'object') throw new Error('The body was not parsed.');
  reply.code(202);
  if (padding !== '') reply.header('x-padding', padding);
  return reply.send({ jobId: randomUUID(), status: 'PENDING', message });
});
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
