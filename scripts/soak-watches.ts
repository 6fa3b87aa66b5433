// npm run soak:watches -- [--rounds N] [--seed N] [--storage disk,s3]: lands files in watched folders while two services and a worker on one
// PostgreSQL are killed and cut off, half of the rounds with media on a disk and half with media in a bucket.
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { roundsOn, SOAK_STORAGES, type SoakStorage } from '../test/faults/watches-soak/rounds.ts';
import { soakWatches, type WatchSoakReport } from '../test/faults/watches-soak/watch-soak.ts';
import { buildPackage } from '../test/support/built-package.ts';
import { startRadosgw } from '../test/support/radosgw.ts';
import { ensureFaketime, ensurePostgres, ensureRadosgw, ensureTools } from './setup/tools.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
    storage: { type: 'string', default: SOAK_STORAGES.join(',') },
  },
});
const [rounds, seed] = [Number(values.rounds), Number(values.seed)];
const storages = values.storage.split(',') as SoakStorage[];
if (
  !Number.isSafeInteger(rounds) ||
  rounds < 1 ||
  !Number.isSafeInteger(seed) ||
  !storages.every((name) => SOAK_STORAGES.includes(name))
) {
  console.error(`Usage: npm run soak:watches -- [--rounds N] [--seed N] [--storage ${SOAK_STORAGES.join(',')}]`);
  process.exit(2);
}

process.once('SIGINT', () => process.exit(130));
const programs = await ensureTools(console.log);
if (!(await ensurePostgres(console.log))) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
const libfaketime = await ensureFaketime(console.log);
if (libfaketime === undefined) throw new Error('libfaketime is not installed: apt-get install libfaketime');
if (storages.includes('s3') && !(await ensureRadosgw(console.log)))
  throw new Error(
    "Ceph's RADOS gateway is not installed: apt-get install --no-install-recommends ceph-mon ceph-osd radosgw",
  );
const folder = await mkdtemp(join(tmpdir(), 'telecine-watches-'));
// PostgreSQL runs as another user, who must be able to enter the folder.
await chmod(folder, 0o711);
const reports: [SoakStorage, number, WatchSoakReport][] = [];
{
  await using closing = new AsyncDisposableStack();
  const { program, remove } = await buildPackage();
  closing.defer(remove);
  const storeFolder = join(folder, 's3-server');
  await mkdir(storeFolder);
  const store = storages.includes('s3') ? await startRadosgw(storeFolder) : undefined;
  closing.defer(async () => store?.stop());
  console.log(`${rounds} rounds, seed ${seed}, in ${folder}`);
  for (const [index, storage] of storages.entries()) {
    const count = Math.floor((rounds + storages.length - 1 - index) / storages.length);
    if (count === 0) continue;
    const own = join(folder, storage);
    await mkdir(own);
    await chmod(own, 0o711);
    const report = await soakWatches({
      ...{ folder: own, rounds: roundsOn(storage, count), seed, programs, program, libfaketime, store },
      say: (line) => console.log(`${storage}: ${line}`),
    }).catch(reportOfError);
    for (const text of report.faults) console.log(`${storage}: ${text}`);
    reports.push([storage, count, report]);
  }
}
console.table(
  reports.map(([storage, count, { landed, jobs, stalled, faults }]) => ({
    ...{ storage, rounds: count, files: landed, stalled },
    jobs: Object.entries(jobs)
      .map(([end, number]) => `${end} ${number}`)
      .join(', '),
    errors: faults.length,
  })),
);
if (reports.every(([, , { faults }]) => faults.length === 0)) {
  await rm(folder, { recursive: true });
  console.log('No errors found.');
} else {
  console.log(`Errors found. The files are in ${folder}. To repeat: --seed ${seed}`);
  process.exitCode = 1;
}

/** The report of a soak that could not go on. */
function reportOfError(error: unknown): WatchSoakReport {
  const text = error instanceof Error ? error.stack : error;
  return { landed: 0, jobs: {}, stalled: 0, faults: [`the soak did not get to its end: ${text}`] };
}
