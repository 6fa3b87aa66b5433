import { EventEmitter, once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TestServer } from './server.ts';

/**
 * Waits for the end of an attempt by the log of the service, from this call on. Polling hundreds of jobs costs as much
 * processor time as the jobs do.
 */
export function watchAttempts({ child }: TestServer): (jobId: string) => Promise<void> {
  const over = new Set<string>();
  const news = new EventEmitter();
  if (child.stdout === null) throw new Error('The service has no log.');
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!line.includes('"msg":"attempt ended"')) return;
    const { jobId } = JSON.parse(line) as { readonly jobId: string };
    over.add(jobId);
    news.emit(jobId);
  });
  return async (jobId) => {
    if (!over.has(jobId)) await once(news, jobId);
  };
}
