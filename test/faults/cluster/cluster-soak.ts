import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isFinal } from '../../../scripts/lib/api.ts';
import type { Program } from '../../../scripts/lib/service.ts';
import type { S3Server } from '../../support/radosgw.ts';
import { filesIn } from '../service-state.ts';
import { Ledger } from '../soak/ledger.ts';
import { withoutChunks, withoutCompletedJob } from '../soak/outcomes.ts';
import { seededChoices } from '../soak/seeded-choices.ts';
import { tally } from '../soak/soak.ts';
import { createSoakSetup } from '../soak/soak-setup.ts';
import { allEnded } from '../soak/traffic.ts';
import { type Programs, verifyOutputs } from '../soak/verify.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { installAudit, readAudit } from './cluster-audit.ts';
import { createClusterClient } from './cluster-client.ts';
import { chunksForRetries, findClusterLeftovers, sessionsOf } from './cluster-leftovers.ts';
import { type ClusterMedia, mediaOnDisk, mediaOnS3 } from './cluster-media.ts';
import { ClusterTraffic } from './cluster-traffic.ts';
import { checkWebhooks, registerWebhook, startClusterWebhooks } from './cluster-webhooks.ts';
import { FAULTS, type Fault, type FaultName, type Outages } from './faults.ts';
import { mountSmallDisk } from './small-disk.ts';

export interface ClusterSoakOptions {
  /** An empty folder. */
  readonly folder: string;
  /** The fault of each round. */
  readonly rounds: readonly FaultName[];
  readonly seed: number;
  /**
   * The number of unfinished jobs at each fault, for a fleet: two services without workers, three workers, a bucket and a webhook. In a
   * fleet, no fault may fail a job. Absent: two services with workers, one worker and few jobs, and a fault may fail some.
   */
  readonly fleetJobs?: number | undefined;
  /** Default: sometimes long, and always for a fleet. */
  readonly outages?: Outages;
  readonly programs: Programs;
  readonly program?: Program | undefined;
  readonly catalogues?: string | undefined;
  /** Needed for the faults of the object store. */
  readonly store?: S3Server | undefined;
  /** Needed for the fault `wrong-clock`. */
  readonly libfaketime?: string | undefined;
  readonly say: (line: string) => void;
}

export interface ClusterSoakReport {
  /** The number of accepted jobs. */
  readonly accepted: number;
  /** The number of videos that were encoded in chunks, each of which has exactly the frames of its source. */
  readonly chunkedJobs: number;
  /** The number of jobs by outcome: `COMPLETED`, `CANCELLED`, or the failure code. */
  readonly endings: Readonly<Record<string, number>>;
  /** Claims of jobs whose worker was lost. */
  readonly takenOver: number;
  /** One sentence per error of the service. */
  readonly faults: readonly string[];
}

const MEMBERS = ['serve', 'serve', 'worker'] as const;
const FLEET = ['serve', 'serve', 'worker', 'worker', 'worker'] as const;
/** A member's disk of this size has room for a few jobs above its reserve. */
const [SMALL_FOLDER, RESERVE] = ['48m', '8M'] as const;
/** The shared disk: enough for the outputs of a soak. */
const SMALL_DISK = '192m';
/** The most unfinished jobs at a time. More would only delay the end of the soak. */
const MAX_UNFINISHED = 10;
/** How long the last jobs may take: together, and each of a fleet. */
const [SETTLE_SECONDS, JOB_SECONDS] = [240, 6] as const;
/** Leftovers must be gone so long after the last job has ended. */
const CLEAN_SECONDS = 60;
/** Load before a fault: so many jobs end, unless it takes longer than the limit, and then some time passes. */
const [LOAD_JOBS, LOAD_LIMIT_MS, LOAD_MS] = [2, 10_000, [0, 1000]] as const;
/** Of a fleet, this share of the jobs is unfinished then. */
const [FLEET_LOAD, FLEET_LOAD_MS] = [0.9, 500] as const;

/** Injects faults into a cluster under load, one after the other, and checks that it kept every promise. */
export async function soakCluster(options: ClusterSoakOptions): Promise<ClusterSoakReport> {
  const { folder, rounds, seed, programs, fleetJobs, say } = options;
  const { outages = fleetJobs === undefined ? 'sometimes long' : 'long' } = options;
  const faults = rounds.map((name): Fault => FAULTS[name]);
  await using closing = new AsyncDisposableStack();
  const mediaRoot = join(folder, 'media');
  await mkdir(mediaRoot);
  if (faults.some(({ smallDisk }) => smallDisk)) closing.defer(await mountSmallDisk(mediaRoot, SMALL_DISK));
  const setup = await createSoakSetup(folder, programs);
  const media = await openMedia(closing, options, setup.mediaRoot);
  const ledger = new Ledger(media.stat);
  const receiver = fleetJobs === undefined ? undefined : await startClusterWebhooks(closing);
  const smallFolder = faults.find((fault) => fault.smallFolder)?.smallFolder;
  const cluster = await startCluster(closing, {
    ...options,
    setup,
    media,
    commands: fleetJobs === undefined ? MEMBERS : FLEET,
    withoutWorkers: fleetJobs !== undefined,
    env: receiver && { TELECINE_WEBHOOK_HOSTS: receiver.host },
    prepare: async (own, index) => {
      const name = index === FLEET.length - 1 ? smallFolder : undefined;
      if (name === undefined) return {};
      const path = join(own, name);
      await mkdir(path, { recursive: true });
      closing.defer(await mountSmallDisk(path, SMALL_FOLDER));
      const reserves = { TELECINE_MIN_FREE_DISK: RESERVE, TELECINE_MIN_FREE_DATA_DISK: RESERVE };
      return { ...reserves, ...(name === 'scratch' && { TELECINE_SCRATCH_DIR: path }) };
    },
    libfaketime: faults.some(({ wrongClock }) => wrongClock) ? options.libfaketime : undefined,
    onMigrated: installAudit,
  });
  const client = createClusterClient(cluster.members, seededChoices(seed + 2));
  if (receiver !== undefined) await registerWebhook(cluster, receiver);
  const mayFailWith = fleetJobs === undefined ? faults.flatMap((fault) => fault.mayFailWith ?? []) : [];
  const choices = seededChoices(seed + 1);
  const traffic = new ClusterTraffic(ledger, choices, client, mayFailWith, fleetJobs ?? MAX_UNFINISHED);
  const chance = seededChoices(seed);

  const countEnded = (): number => [...ledger.entries.values()].filter(({ job }) => job && isFinal(job)).length;
  const isLoaded = (endedBefore: number): boolean =>
    countEnded() >= endedBefore + LOAD_JOBS && ledger.open().length >= (fleetJobs ?? 0) * FLEET_LOAD;
  const loadLimitMs = LOAD_LIMIT_MS + (fleetJobs ?? 0) * FLEET_LOAD_MS;

  const stop = new AbortController();
  const load = traffic.run(stop.signal);
  closing.defer(async () => {
    stop.abort();
    await load.catch(() => {});
  });
  const failed = load.then(() => new Promise<never>(() => {}));
  for (const [index, name] of rounds.entries()) {
    const endedBefore = countEnded();
    for (const from = performance.now(); !isLoaded(endedBefore); await Promise.race([delay(50), failed]))
      if (performance.now() > from + loadLimitMs) break;
    await delay(chance.between(...LOAD_MS));
    const what = await Promise.race([(FAULTS[name] as Fault).inject(cluster, chance, outages), failed]);
    await Promise.race([cluster.allReady(), failed]);
    say(
      `${name} ${index + 1}/${rounds.length}: ${what}; ${ledger.entries.size} submitted, ${countEnded()} ended, ${ledger.faults.length} errors`,
    );
  }
  stop.abort();
  await load;
  for (const member of cluster.members) await member.setClock(0);
  await settle(cluster, ledger, traffic, client, faults, SETTLE_SECONDS + JOB_SECONDS * (fleetJobs ?? 0));
  if (receiver !== undefined) await checkWebhooks(ledger, receiver);
  const audit = await readAudit(cluster.postgres);
  for (const text of audit.faults) ledger.fault(text);
  // An attempt that cannot remove its files is left to another worker.
  if (audit.takenOver > 0 && !faults.some(({ losesWorkers, disturbsStore }) => losesWorkers || disturbsStore))
    ledger.fault(`${audit.takenOver} running jobs were taken over, although no worker was lost`);
  const kept = await chunksForRetries(cluster.postgres);
  await stopAll(cluster, ledger);
  recordErrors(ledger, cluster, faults);
  const outputs = await media.folder();
  const chunks = (await filesIn(outputs)).filter((path) => path === TRIAL || kept.has(basename(path)));
  await verifyOutputs(ledger, outputs, programs, setup.clips, chunks);
  const entries = [...ledger.entries.values()];
  const endings = tally(entries.flatMap(({ job }) => (job ? [job.error?.code ?? job.status] : [])));
  const accepted = entries.filter(({ promised }) => promised).length;
  const chunkedJobs = entries.filter(
    ({ job, submission }) => job?.status === 'COMPLETED' && submission.framesOf !== undefined,
  ).length;
  if (fleetJobs !== undefined && endings['WORKER_LOST'] !== undefined)
    ledger.fault(`${endings['WORKER_LOST']} jobs failed with WORKER_LOST`);
  for (const fault of [...withoutCompletedJob({ endings }), ...withoutChunks(accepted, chunkedJobs)])
    ledger.fault(fault);
  return {
    accepted,
    chunkedJobs,
    endings,
    takenOver: audit.takenOver,
    faults: ledger.faults,
  };
}

/** The shared disk, or a bucket if a fault is one of an object store. */
export async function openMedia(
  closers: AsyncDisposableStack,
  { folder, rounds, store, fleetJobs }: Pick<ClusterSoakOptions, 'folder' | 'rounds' | 'store' | 'fleetJobs'>,
  mediaRoot: string,
): Promise<ClusterMedia> {
  const needing = rounds.find((name) => fleetJobs !== undefined || (FAULTS[name] as Fault).disturbsStore === true);
  if (needing === undefined) return mediaOnDisk(mediaRoot);
  if (store === undefined) throw new Error(`The fault ${needing} needs an S3 server.`);
  return mediaOnS3(closers, store, mediaRoot, join(folder, 'copies'));
}

/** Waits until all jobs have ended and nothing is left of them. */
async function settle(
  cluster: Cluster,
  ledger: Ledger,
  traffic: ClusterTraffic,
  client: ReturnType<typeof createClusterClient>,
  faults: readonly Fault[],
  seconds: number,
): Promise<void> {
  await cluster.allReady();
  await traffic.resend();
  if (!(await allEnded(client, ledger, seconds))) ledger.fault(`not all jobs ended within ${seconds} s`);
  await traffic.pollAll();
  await ledger.checkFiles();
  // Some leftovers of an outage of the store or the database, and scratch folders of a worker that was killed and started again at once,
  // are removed only by the next start, or within an hour.
  const isLate = ({ disturbsStore, hidesDatabase, losesWorkers }: Fault): boolean =>
    disturbsStore === true || (cluster.media.store !== undefined && (hidesDatabase ?? losesWorkers) === true);
  if (faults.some(isLate))
    for (const member of cluster.members) {
      await member.stop();
      await member.start();
    }
  const deadline = performance.now() + CLEAN_SECONDS * 1000;
  let leftovers = await findClusterLeftovers(cluster);
  while (leftovers.length > 0 && performance.now() < deadline) {
    await delay(200);
    leftovers = await findClusterLeftovers(cluster);
  }
  for (const leftover of leftovers) ledger.fault(`left over: ${leftover}`);
}

export async function stopAll(cluster: Cluster, ledger: Pick<Ledger, 'fault'>): Promise<void> {
  for (const code of await cluster.stopMembers())
    if (code !== 0) ledger.fault(`a member exited with ${code} after SIGTERM`);
  for (const session of await sessionsOf(cluster)) ledger.fault(`left over: session ${session}`);
}

/** The object of a check of the bucket, which stays if the member ends before it deletes it. The next check writes it again. */
const TRIAL = '.telecine/ready';

const OUTAGE = '"msg":"the database cannot be reached';

/** An attempt that could not remove its files from the object store. It stays claimed, and a later one removes them. */
const STORE_FAILED = '"code":"STORAGE_FAULT"';

/** A record of the audit log that a service could not store. It is in the log of the service instead. */
const AUDIT_FAILED = /"msg":"audit records? not stored"/;

/** No service may log an error, but for outages of the database and of the object store. */
export function recordErrors(ledger: Pick<Ledger, 'fault'>, { members }: Cluster, faults: readonly Fault[]): void {
  const hidesDatabase = faults.some((fault) => fault.hidesDatabase);
  const disturbsStore = faults.some((fault) => fault.disturbsStore);
  for (const { name, log } of members)
    for (const line of log().split('\n'))
      if (
        /"level":"(error|fatal)"/.test(line) &&
        !(hidesDatabase && (line.includes(OUTAGE) || AUDIT_FAILED.test(line))) &&
        !(disturbsStore && line.includes(STORE_FAILED))
      )
        ledger.fault(`${name} logged ${line}`);
}
