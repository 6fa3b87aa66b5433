// Receives webhooks, and prints each event once: node webhook-receiver.ts
// Environment: TELECINE_WEBHOOK_SECRET (printed when the webhook was registered), PORT.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook, WebhookError, type WebhookEvent } from '@telecine/client';

const { TELECINE_WEBHOOK_SECRET: secret = '', PORT: port = '4280' } = process.env;

/** The most bytes of a delivery, which are read before it is verified: anybody can send to a receiver. */
const MAX_BYTES = 2 ** 20;

/** The ids of events that were handled. A real receiver keeps them in its database for a day, because events are repeated. */
const handled = new Set<string>();

/** The bytes of a request as they arrived, or undefined if there are too many. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function handle(event: WebhookEvent): void {
  switch (event.type) {
    case 'job.completed':
      console.log(`${event.data.output} is ready, order ${event.data.metadata?.['order'] ?? 'unknown'}`);
      break;
    case 'job.failed':
      console.log(`${event.data.output} failed: ${event.data.error?.message} ${event.data.error?.fix ?? ''}`);
      break;
    // A later version of the service can send other types.
    default:
      console.log(event.type);
  }
}

const server = createServer(async (request, response) => {
  try {
    const body = await bodyOf(request);
    if (body === undefined) {
      response.writeHead(413, { connection: 'close' }).end();
      return;
    }
    // The bytes as they arrived: parsed and serialized JSON would have another signature.
    const event = await verifyWebhook(body, request.headers, secret);
    const id = String(request.headers['webhook-id']);
    // The service waits for ten seconds, and sends an event again until it gets this reply. So a real receiver stores the
    // event, replies, and works later.
    response.writeHead(204).end();
    if (handled.has(id)) return;
    handled.add(id);
    handle(event);
  } catch (error) {
    const status = error instanceof WebhookError ? 400 : 500;
    if (status === 500) console.error(error);
    if (!response.headersSent) response.writeHead(status).end();
  }
});
server.listen(Number(port), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
