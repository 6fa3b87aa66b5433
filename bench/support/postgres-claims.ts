import { Backlog } from './backlog.ts';
import { startBenchPostgres } from './bench-postgres.ts';
import { bound, median, percentile } from './figures.ts';

const SIZES = [1000, 1_000_000] as const;
const CLAIMS = 3000;
const WARM_UP_CLAIMS = 100;

/** Measures claims on PostgreSQL, with flushes, with few and with many queued jobs of another client, in turns. */
export async function benchPostgresClaims(folder: string): Promise<void> {
  await using closers = new AsyncDisposableStack();
  const postgres = await startBenchPostgres(closers, folder);
  const sides: { readonly size: number; readonly backlog: Backlog; readonly figures: number[] }[] = [];
  for (const size of SIZES) {
    await postgres.sql(`create database jobs${size}`);
    const backlog = await Backlog.openPostgres(postgres.url(`jobs${size}`));
    closers.defer(() => backlog.close());
    const start = performance.now();
    await backlog.add(size, 'amy');
    console.log(`${size.toLocaleString('en')} jobs stored in ${((performance.now() - start) / 1000).toFixed(1)} s`);
    sides.push({ size, backlog, figures: [] });
  }
  const claims = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++)
      for (const { backlog, figures } of sides) {
        await backlog.add(1, 'zoe');
        figures.push(await backlog.claim());
      }
  };
  await claims(WARM_UP_CLAIMS);
  for (const { figures } of sides) figures.length = 0;
  const used = await Promise.all(sides.map(({ backlog }) => backlog.processorSeconds()));
  await claims(CLAIMS);
  for (const [index, { size, backlog }] of sides.entries()) {
    const each = ((await backlog.processorSeconds()) - (used[index] ?? 0)) / CLAIMS;
    console.log(
      `processor time of PostgreSQL per job (added, claimed and ended), ${size.toLocaleString('en')} jobs: ${(each * 1000).toFixed(2)} ms`,
    );
  }
  // No client may start a job, so a search must pass by all their jobs.
  const limits = new Map([
    ['amy', 0],
    ['zoe', 0],
  ]);
  const held = await Promise.all(
    sides.map(async ({ size, backlog }) => {
      const all: number[] = [];
      for (let i = 0; i < WARM_UP_CLAIMS; i++) await backlog.findNone(limits);
      const before = await backlog.processorSeconds();
      for (let i = 0; i < CLAIMS / 10; i++) all.push(await backlog.findNone(limits));
      const each = ((await backlog.processorSeconds()) - before) / all.length;
      console.log(
        `all clients at their limit, ${size.toLocaleString('en').padStart(9)} jobs: p50 ${median(all).toFixed(2)} ms, ` +
          `processor time of PostgreSQL per search ${(each * 1000).toFixed(2)} ms`,
      );
      return median(all);
    }),
  );
  bound(
    'a search with all clients at their limit, of a million jobs and of a thousand',
    (held[1] ?? Number.NaN) / (held[0] ?? 1),
    '<=',
    2,
  );
  const p99s = sides.map(({ size, figures }) => {
    const p99 = percentile(figures, 0.99);
    console.log(
      `claim ${size.toLocaleString('en').padStart(9)} jobs: p50 ${median(figures).toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`,
    );
    return p99;
  });
  const [few = Number.NaN, many = Number.NaN] = p99s;
  bound('claim p99 with a million jobs, of that with a thousand', many / few, '<=', 2);
}
