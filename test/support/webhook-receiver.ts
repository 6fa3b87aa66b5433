import { deepStrictEqual } from 'node:assert';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { webhookEventSchema } from '../../packages/contract/src/wire/webhook-event.ts';

interface EventData {
  readonly jobId?: string;
  readonly batchId?: string;
}

/** A request that a receiver got. */
export interface ReceivedEvent {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The `webhook-id`. */
  readonly id: string;
  readonly event: { readonly type: string; readonly timestamp: string; readonly data: EventData };
}

export type Answer = (event: ReceivedEvent, response: ServerResponse) => void | Promise<void>;

/** A receiver of webhooks on loopback. */
export interface WebhookReceiver {
  readonly host: string;
  /** The URL of a path. */
  url(path: string): string;
  /** What a path got, oldest first. */
  received(path: string): readonly ReceivedEvent[];
  /** How requests to a path are answered. Default: 204. */
  answer(path: string, answer: Answer): void;
  close(): void;
}

/**
 * Throws unless a secret signed the event, which the library of Standard Webhooks checks, and unless it has the members that the OpenAPI
 * document says, and no others.
 */
export function verifyEvent(event: ReceivedEvent, secret: string): unknown {
  const verified = new Webhook(secret).verify(event.body, { ...event.headers });
  deepStrictEqual(webhookEventSchema.parse(verified), verified);
  return verified;
}

/** Starts a receiver. `port`: the one of an earlier receiver. */
export async function startReceiver(port = 0): Promise<WebhookReceiver> {
  const events: ReceivedEvent[] = [];
  const answers = new Map<string, Answer>();
  const server: Server = createServer((request, response) => {
    void receive(request).then(async (event) => {
      events.push(event);
      const answer = answers.get(event.path);
      if (answer !== undefined) await answer(event, response);
      else response.writeHead(204).end();
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: (path) => `http://${host}${path}`,
    received: (path) => events.filter((event) => event.path === path),
    answer: (path, answer) => void answers.set(path, answer),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function receive(request: IncomingMessage): Promise<ReceivedEvent> {
  const body = await text(request);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  return {
    path: new URL(request.url ?? '', 'http://x').pathname,
    headers: { ...headers, ':query': new URL(request.url ?? '', 'http://x').search },
    body,
    id: headers['webhook-id'] ?? '',
    event: JSON.parse(body),
  };
}
