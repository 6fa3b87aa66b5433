import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Backlog } from './backlog.ts';
import { startBenchPostgres } from './bench-postgres.ts';
import { bound, percentile } from './figures.ts';
import { Connection } from './http.ts';
import { cpuSeconds } from './processes.ts';
import { startBenchService } from './service.ts';

const QUEUED = 100_000;
/** How often another client submits a job, which a worker claims. */
const CLAIM_EVERY_MS = 200;

/** Measures how long it takes to cancel 100,000 queued jobs, by `POST /api/job-changes` and by revoking their client, and the claims meanwhile. */
export async function benchPostgresCancels(folder: string): Promise<void> {
  await using closers = new AsyncDisposableStack();
  const postgres = await startBenchPostgres(closers, folder);
  await postgres.sql('create database cancels');
  const env = { TELECINE_DATABASE_URL: postgres.url('cancels') };
  const own = join(folder, 'cancels');
  // Without a worker, a service on a new PostgreSQL is not ready.
  const service = await startBenchService({ folder: own, env, args: ['--no-worker'], until: 'listening' });
  closers.defer(() => service.stop());
  const connection = new Connection(service.url, service.token);
  closers.defer(() => connection.close());
  const backlog = await Backlog.openPostgres(env.TELECINE_DATABASE_URL);
  closers.defer(() => backlog.close());

  /** The processor time so far, in seconds. */
  const used = async () => ({ service: cpuSeconds(service.pid), postgres: await backlog.processorSeconds() });
  const cancelAll = async (client: string): Promise<void> => {
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const body = JSON.stringify({ action: 'cancel', client, limit: 500, ...(cursor !== undefined && { cursor }) });
      ({ nextCursor: cursor } = JSON.parse((await connection.send('/api/job-changes', body)).text));
    }
  };
  const revoke = async (client: string): Promise<void> => {
    await connection.send(`/api/clients/${client}`, undefined, 'DELETE');
    while (await backlog.hasQueued(client)) await sleep(100);
  };
  for (const [what, end] of Object.entries({ 'POST /api/job-changes': cancelAll, 'revoking the client': revoke })) {
    const client = end === revoke ? 'revoked' : 'cancelled';
    await connection.send('/api/clients', JSON.stringify({ clientId: client }));
    await backlog.add(QUEUED, client);
    await postgres.sql('vacuum analyze', 'cancels');
    const usedBefore = await used();
    const start = performance.now();
    let isEnded = false;
    const ending = end(client).finally(() => {
      isEnded = true;
    });
    const claims: number[] = [];
    // With the client whose jobs end, the other client takes turns.
    for (; !isEnded; await Promise.race([sleep(CLAIM_EVERY_MS), ending])) {
      await backlog.add(1, 'other');
      claims.push(await backlog.claim('other'));
    }
    await ending;
    const seconds = (performance.now() - start) / 1000;
    const usedAfter = await used();
    if (await backlog.hasQueued(client)) throw new Error(`${client} still has queued jobs.`);
    console.log(
      `${QUEUED.toLocaleString('en')} queued jobs ended by ${what}: ${seconds.toFixed(1)} s; ` +
        `processor time of the service ${(usedAfter.service - usedBefore.service).toFixed(1)} s, of PostgreSQL ${(usedAfter.postgres - usedBefore.postgres).toFixed(1)} s; ` +
        `${claims.length} jobs of another client claimed meanwhile, p50 ${percentile(claims, 0.5).toFixed(1)} ms, p99 ${percentile(claims, 0.99).toFixed(1)} ms`,
    );
    bound(`seconds to end ${QUEUED.toLocaleString('en')} queued jobs by ${what}`, seconds, '<=', 60);
  }
}
