import type { ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createInterface } from 'node:readline';

/** The ids of jobs of which an attempt has ended on a server of this test process. */
const over = new Set<string>();
const news = new EventEmitter();

/** Reads the ends of attempts from the log of a server. On PostgreSQL, it may run jobs of other servers. */
export function watchAttempts({ stdout }: ChildProcess): void {
  if (stdout === null) throw new Error('The service has no log.');
  createInterface({ input: stdout }).on('line', (line) => {
    if (!line.includes('"msg":"attempt ended"')) return;
    const { jobId } = JSON.parse(line) as { readonly jobId: string };
    over.add(jobId);
    news.emit(jobId);
  });
}

/**
 * Waits until an attempt of a job ends, at most `ms`. Resolves to false at once if one has ended before: the job may have
 * further attempts.
 */
export async function attemptEnds(jobId: string, ms: number): Promise<boolean> {
  if (over.has(jobId)) return false;
  await once(news, jobId, { signal: AbortSignal.timeout(ms) }).catch(() => undefined);
  return true;
}
