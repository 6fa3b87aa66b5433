import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';

export interface StoredRequest {
  readonly jobId: string;
  readonly request: string;
}

/**
 * Starts a minimal Fastify server that stores each request before it replies, and prints its URL. `store` gets all requests that have
 * arrived since its last call. The server has no authentication, no validation, no queue and no log: it does only what any such service
 * must do.
 */
export async function serveGroups(
  store: (group: readonly StoredRequest[]) => Promise<void>,
  { message, padding = '' }: { readonly message: string; readonly padding?: string },
): Promise<void> {
  let waiting: (StoredRequest & { readonly resolve: (jobId: string) => void })[] = [];
  let isRunning = false;

  async function storeAll(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await store(group);
      for (const { jobId, resolve } of group) resolve(jobId);
      await new Promise(setImmediate);
    }
    isRunning = false;
  }

  const app = Fastify({ logger: false });
  app.post('/api/conversion', async (request, reply) => {
    const jobId = await new Promise<string>((resolve) => {
      waiting.push({ jobId: randomUUID(), request: JSON.stringify(request.body), resolve });
      if (!isRunning) setImmediate(() => void storeAll());
      isRunning = true;
    });
    reply.code(202);
    if (padding !== '') reply.header('x-padding', padding);
    return { jobId, status: 'PENDING', message };
  });
  console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
}
