/**
 * The least that a Fastify server could do with a submission: parse the same body, send a reply of the same size.
 * No authentication, no validation, no storage. Prints its address and serves until it is ended.
 */
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';

const app = Fastify({ logger: false });
app.post('/api/conversion', (request, reply) => {
  const body = request.body as { input: string };
  void reply
    .code(202)
    .header('content-type', 'application/json; charset=utf-8')
    .send({ jobId: randomUUID(), status: 'PENDING', message: messageFor(body.input) });
});
const messageFor = (_input: string): string => process.argv[2] ?? '';
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
