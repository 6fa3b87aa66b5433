import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pLimit from 'p-limit';
import { type ClusterSoakReport, soakCluster } from '../test/faults/cluster/cluster-soak.ts';
import { FAULTS, type Fault, type FaultName } from '../test/faults/cluster/faults.ts';
import { buildPackage } from '../test/support/built-package.ts';
import { startRadosgw } from '../test/support/radosgw.ts';
import { ensureFaketime, ensurePostgres, ensureRadosgw, ensureTools } from './setup/tools.ts';

const ALL = Object.entries(FAULTS) as [FaultName, Fault][];
/** The faults of a fleet: its own, and others that need no disk shared by all. */
const namesOf = (fleet: boolean): FaultName[] =>
  ALL.filter(([, fault]) => (fleet ? fault.smallDisk !== true : fault.fleet !== true)).map(([name]) => name);

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
    faults: { type: 'string' },
    // Two services without workers, three workers, a bucket and a webhook; so many jobs are unfinished at each fault.
    fleet: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '100' },
    // A cluster waits for most of its time: for outages, leases and jobs.
    parallel: { type: 'string', default: '2' },
  },
});
const [rounds, seed, parallel] = [Number(values.rounds), Number(values.seed), Number(values.parallel)];
const jobs = Number(values.jobs);
const NAMES = namesOf(values.fleet);
const names = (values.faults?.split(',') ?? NAMES) as FaultName[];
if (
  !Number.isSafeInteger(rounds) ||
  rounds < 1 ||
  !Number.isSafeInteger(seed) ||
  !Number.isSafeInteger(parallel) ||
  parallel < 1 ||
  !Number.isSafeInteger(jobs) ||
  jobs < 1 ||
  !names.every((name) => NAMES.includes(name))
) {
  console.error(
    `Usage: npm run soak:cluster -- [--rounds N] [--seed N] [--parallel N] [--fleet [--jobs N]] [--faults ${NAMES.join(',')}]`,
  );
  process.exit(2);
}

process.once('SIGINT', () => process.exit(130));
const programs = await ensureTools(console.log);
if (!(await ensurePostgres(console.log))) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
const needsClock = ALL.some(([name, { wrongClock }]) => wrongClock && names.includes(name));
const libfaketime = needsClock ? await ensureFaketime(console.log) : undefined;
if (needsClock && libfaketime === undefined)
  throw new Error('libfaketime is not installed: apt-get install libfaketime');
const folder = await mkdtemp(join(tmpdir(), 'telecine-cluster-'));
// PostgreSQL runs as another user, who must be able to enter the folder.
await chmod(folder, 0o711);
const needsStore = values.fleet || names.some((name) => 'disturbsStore' in FAULTS[name]);
if (needsStore && !(await ensureRadosgw(console.log)))
  throw new Error(
    "Ceph's RADOS gateway is not installed: apt-get install --no-install-recommends ceph-mon ceph-osd radosgw",
  );
const reports = new Map<FaultName, ClusterSoakReport>();
{
  await using closing = new AsyncDisposableStack();
  const { program, remove } = await buildPackage();
  closing.defer(remove);
  const storeFolder = join(folder, 's3');
  await mkdir(storeFolder);
  const store = needsStore ? await startRadosgw(storeFolder) : undefined;
  closing.defer(async () => store?.stop());
  console.log(`${rounds} rounds of each fault, seed ${seed}, in ${folder}`);
  await pLimit(parallel).map(names, async (fault) => {
    const own = join(folder, fault);
    await mkdir(own);
    // The fault kills it, and others run at the same time.
    const ownStore = fault === 's3-kill' ? await startRadosgw(await mkdtemp(join(folder, 's3-'))) : undefined;
    closing.defer(async () => ownStore?.stop());
    const report = await soakCluster({
      folder: own,
      rounds: Array.from({ length: rounds }, () => fault),
      seed,
      programs,
      program,
      libfaketime,
      store: ownStore ?? store,
      fleetJobs: values.fleet ? jobs : undefined,
      say: console.log,
    })
      // If one fault rejected, Node would exit while the clusters of the others run.
      .catch(reportOfError);
    reports.set(fault, report);
    for (const text of report.faults) console.log(`${fault}: ${text}`);
    console.table([rowOf([fault, report])]);
  });
}
console.table([...reports].map(rowOf));
if ([...reports.values()].every(({ faults }) => faults.length === 0)) {
  await rm(folder, { recursive: true });
  console.log('No errors found.');
} else {
  console.log(`Errors found. The files are in ${folder}. To repeat: --seed ${seed} --faults NAME`);
  process.exitCode = 1;
}

/** The report of a soak that could not go on. */
function reportOfError(error: unknown): ClusterSoakReport {
  const text = error instanceof Error ? error.stack : error;
  return {
    accepted: 0,
    chunkedJobs: 0,
    endings: {},
    takenOver: 0,
    faults: [`the soak did not get to its end: ${text}`],
  };
}

function rowOf([fault, { accepted, chunkedJobs, endings, takenOver, faults }]: readonly [
  FaultName,
  ClusterSoakReport,
]) {
  const { COMPLETED: completed = 0, CANCELLED: cancelled = 0, ...failed } = endings;
  const reasons = Object.entries(failed).map(([code, number]) => `${code} ${number}`);
  return {
    fault,
    rounds,
    jobs: accepted,
    completed,
    'in chunks': chunkedJobs,
    cancelled,
    failed: reasons.join(', '),
    'attempts lost': takenOver,
    errors: faults.length,
  };
}
