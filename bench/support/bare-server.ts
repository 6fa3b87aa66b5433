/**
 * A minimal Fastify server, which parses the same body and sends a reply of the same size. It has no authentication, no
 * validation, no storage and no log. Its arguments are the message of the reply and the padding of the header fields.
 * It prints its URL and serves until it is killed.
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
app.get('/health', () => ({ status: 'ok' }));
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
