import { join } from 'node:path';
import { Backlog } from './backlog.ts';
import { startBenchPostgres } from './bench-postgres.ts';
import { bound, median, percentile } from './figures.ts';
import { Connection } from './http.ts';
import { startBenchService } from './service.ts';

const CLIENTS = 500;
const JOBS_EACH = 200;
const CALLS = 60;

/** The maximum of the median time of a call, in milliseconds. */
const MOST_MS = 100;

/** Measures calls of clients and operators while 500 clients have 100,000 queued jobs, on SQLite and on PostgreSQL. */
export async function benchClientBacklog(folder: string): Promise<void> {
  await using closers = new AsyncDisposableStack();
  const postgres = await startBenchPostgres(closers, folder);
  await postgres.sql('create database clients');
  const url = postgres.url('clients');
  for (const engine of ['SQLite', 'PostgreSQL'] as const) {
    const own = join(folder, engine);
    const env: Record<string, string> = engine === 'SQLite' ? {} : { TELECINE_DATABASE_URL: url };
    // The first start creates the store. On PostgreSQL, it also registers a build, because a service without a build accepts nothing.
    await (await startBenchService({ folder: own, env, args: engine === 'SQLite' ? ['--no-worker'] : [] })).stop();
    const backlog = engine === 'SQLite' ? await Backlog.open(join(own, 'data')) : await Backlog.openPostgres(url);
    for (let client = 0; client < CLIENTS; client += 1) await backlog.add(JOBS_EACH, `client-${client}`);
    // Run `vacuum` now. PostgreSQL itself would run it within minutes after so many inserts.
    if (engine === 'PostgreSQL') await postgres.sql('vacuum analyze', 'clients');
    const service = await startBenchService({ folder: own, env, args: ['--no-worker'] });
    const connection = new Connection(service.url, service.token);
    const get = (path: string) => () => connection.send(path);
    let outputs = 0;
    const calls: Record<string, () => Promise<unknown>> = {
      submit: () => {
        outputs += 1;
        return connection.send('/api/conversion', JSON.stringify({ input: 'none.mp4', output: `${outputs}.mp4` }));
      },
      'list of jobs': get('/api/conversion?limit=50'),
      'list by status': get('/api/conversion?limit=50&status=PENDING'),
      'list of another client': get('/api/conversion?limit=50&client=client-7'),
      'the queue': get('/api/queue'),
      workers: get('/api/workers'),
      metrics: get('/metrics'),
      '/ready': get('/ready'),
    };
    const report = (what: string, milliseconds: readonly number[]): void => {
      const name = `${engine}, ${what}`.padEnd(36);
      console.log(
        `${name} p50 ${median(milliseconds).toFixed(1)} ms, p99 ${percentile(milliseconds, 0.99).toFixed(1)} ms`,
      );
      bound(`median ms of ${engine}, ${what}`, median(milliseconds), '<=', MOST_MS, 0);
    };
    for (const [what, call] of Object.entries(calls)) {
      const milliseconds: number[] = [];
      for (let i = -3; i < CALLS; i += 1) {
        const start = performance.now();
        await call();
        if (i >= 0) milliseconds.push(performance.now() - start);
      }
      report(what, milliseconds);
    }
    const claims: number[] = [];
    for (let i = -3; i < CALLS; i += 1) {
      const milliseconds = await backlog.claim();
      if (i >= 0) claims.push(milliseconds);
    }
    report('claim', claims);
    connection.close();
    await service.stop();
    await backlog.close();
  }
}
