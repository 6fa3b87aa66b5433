// Receives webhooks, and prints each event once: node webhook-receiver.ts
// Environment: TELECINE_WEBHOOK_SECRET (printed when the webhook was registered), PORT.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook, WebhookError, type WebhookEvent } from '@telecine/client';

const { TELECINE_WEBHOOK_SECRET: secret = '', PORT: port = '4280' } = process.env;

/** The ids of events that were handled. A real receiver keeps them in its database for a day, because events are repeated. */
const handled = new Set<string>();

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
    // The bytes as they arrived: parsed and serialized JSON would have another signature.
    const event = await verifyWebhook(await buffer(request), request.headers, secret);
    const id = String(request.headers['webhook-id']);
    // Reply at once, and work later: the service waits for ten seconds.
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
