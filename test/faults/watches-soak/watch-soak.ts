import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { WatchView } from '../../../packages/contract/src/wire/watch.ts';
import { must, type TokenReply } from '../../../scripts/lib/api.ts';
import type { Program } from '../../../scripts/lib/service.ts';
import type { S3Server } from '../../support/radosgw.ts';
import { soundSame } from '../../support/sounds.ts';
import { SAME_SOUND } from '../../support/watch-client.ts';
import { ADMIN, type Cluster, startCluster } from '../cluster/cluster.ts';
import { installAudit, readAudit } from '../cluster/cluster-audit.ts';
import { findClusterLeftovers } from '../cluster/cluster-leftovers.ts';
import { openMedia, recordErrors, stopAll } from '../cluster/cluster-soak.ts';
import { FAULTS, type Fault, type FaultName } from '../cluster/faults.ts';
import type { Member } from '../cluster/member.ts';
import { filesIn } from '../service-state.ts';
import { seededChoices } from '../soak/seeded-choices.ts';
import { createSoakSetup } from '../soak/soak-setup.ts';
import type { Programs } from '../soak/verify.ts';
import { type Landing, Landings, SETTLE_SECONDS, WATCHES, type WatchKind } from './landings.ts';
import {
  endWatchLeases,
  hasUnfinished,
  installWatchAudit,
  type LedgerRow,
  readJobs,
  readLedger,
  readTwice,
  type WatchedJobRow,
} from './watch-audit.ts';

export interface WatchSoakOptions {
  /** An empty folder. */
  readonly folder: string;
  /** The fault of each round. A fault of the object store puts the media into it. */
  readonly rounds: readonly FaultName[];
  readonly seed: number;
  readonly programs: Programs;
  readonly program?: Program | undefined;
  readonly catalogues?: string | undefined;
  readonly store?: S3Server | undefined;
  /** Needed for the fault `wrong-clock`. */
  readonly libfaketime?: string | undefined;
  readonly say: (line: string) => void;
}

export interface WatchSoakReport {
  readonly landed: number;
  /** Jobs by status, or by failure code. */
  readonly jobs: Readonly<Record<string, number>>;
  /** Files whose copy was too slow to be judged. */
  readonly stalled: number;
  readonly faults: readonly string[];
}

const MEMBERS = ['serve', 'serve', 'worker'] as const;
const PAUSE_MS = [200, 1800] as const;
/** How long a round waits for files and for a job that its fault can hit. */
const LOAD_LIMIT_MS = 15_000;
const READY_SECONDS = 90;
/** How long the last files may take. */
const SETTLED_SECONDS = 300;
const CLEAN_SECONDS = 60;

/** Failures that faults cause: a file that fails so is converted again. */
const MAY_FAIL_WITH: ReadonlySet<string> = new Set(['STORAGE_FAULT', 'WORKER_LOST', 'INPUT_NOT_FOUND']);

/** Whether a file may fail with a code. A file that is renamed while its job reads it is an invalid input for this attempt. */
const mayFail = (path: string, code: string): boolean =>
  MAY_FAIL_WITH.has(code) || (code === 'INPUT_INVALID' && path.includes('renamed'));

/** Lands files in watched folders while a cluster has faults, and checks that each was converted once and whole. */
export async function soakWatches(options: WatchSoakOptions): Promise<WatchSoakReport> {
  const { folder, rounds, seed, programs, say } = options;
  const faults = rounds.map((name): Fault => FAULTS[name]);
  await using closing = new AsyncDisposableStack();
  await mkdir(join(folder, 'media'));
  const setup = await createSoakSetup(folder, programs);
  const media = await openMedia(closing, options, setup.mediaRoot);
  const clips = await filesIn(await media.folder());
  const found: string[] = [];
  const report = { fault: (what: string) => void found.push(what) };
  const cluster = await startCluster(closing, {
    ...options,
    setup,
    media,
    commands: MEMBERS,
    libfaketime: faults.some(({ wrongClock }) => wrongClock) ? options.libfaketime : undefined,
    onMigrated: async (postgres) => {
      await installAudit(postgres);
      await installWatchAudit(postgres);
    },
  });
  const api = apiOf(cluster);
  const ids = await makeWatches(api, setup.mediaRoot, media.store === undefined);

  const landings = new Landings(seededChoices(seed + 1), media, setup.mediaRoot, {
    upload: api.upload,
    scan: (watch) => api.scan(ids[watch]),
  });
  const stop = new AbortController();
  const landing = landings.run(stop.signal, PAUSE_MS);
  closing.defer(async () => {
    stop.abort();
    await landing.catch(() => {});
  });
  const failed = landing.then(() => new Promise<never>(() => {}));
  const chance = seededChoices(seed);
  for (const [index, name] of rounds.entries()) {
    const before = landings.all.length;
    const isLoaded = async () => landings.all.length >= before + 2 && (await hasUnfinished(cluster.postgres));
    for (const from = performance.now(); !(await isLoaded()); await Promise.race([delay(50), failed]))
      if (performance.now() > from + LOAD_LIMIT_MS) break;
    // Every second round, both services scan the folders and submit at the same time.
    if (index % 2 === 1) await endWatchLeases(cluster.postgres);
    const what = await Promise.race([(FAULTS[name] as Fault).inject(cluster, chance, 'short'), failed]);
    await Promise.race([cluster.allReady(), failed]);
    if (FAULTS[name] === FAULTS['service-kill']) await endWatchLeases(cluster.postgres);
    say(`${name} ${index + 1}/${rounds.length}: ${what}; ${landings.all.length} files landed`);
  }
  stop.abort();
  await landing;
  for (const member of cluster.members) await member.setClock(0);
  await cluster.allReady();
  await endWatchLeases(cluster.postgres);
  await settle(cluster, api, ids, landings.all, report.fault);
  await pause(api, ids);

  const [rows, jobs] = [await readLedger(cluster.postgres), await readJobs(cluster.postgres)];
  for (const text of await readTwice(cluster.postgres)) report.fault(text);
  for (const text of (await readAudit(cluster.postgres)).faults) report.fault(text);
  await expectNoLeftovers(cluster, faults, report.fault);
  await stopAll(cluster, report);
  recordErrors(report, cluster, faults);
  checkLedger(landings.all, ids, rows, jobs, report.fault);
  await checkFiles(landings.all, await media.folder(), clips, report.fault);
  return {
    landed: landings.all.length,
    jobs: countBy(jobs.map(({ status, code }) => code ?? status)),
    stalled: landings.all.filter(({ isStalled }) => isStalled).length,
    faults: found,
  };
}

interface ClusterApi {
  /** Sends a request to one service after the other until one of them answers. */
  send<T>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<T>;
  /** Uploads a file to one service. Rejects if it has no reply. */
  upload(path: string, content: Buffer): Promise<void>;
  /** Asks each service for a scan. Never rejects. */
  scan(watchId: string): Promise<void>;
}

function apiOf({ members }: Cluster): ClusterApi {
  const services = members.filter(({ command }) => command === 'serve');
  let turn = 0;
  const loginAt = async (url: string | undefined): Promise<{ readonly url: string; readonly token: string }> => {
    if (url === undefined) throw new Error('The service does not run.');
    // A token each time: the clock of a service can be wrong.
    const { accessToken: token } = await must<TokenReply>(`${url}/api/auth/token`, { body: ADMIN });
    return { url, token };
  };
  const next = () => {
    turn += 1;
    return loginAt(services[turn % services.length]?.url());
  };
  const within = <T>(work: Promise<T>): Promise<T> =>
    Promise.race([
      work,
      delay(10_000, undefined, { ref: false }).then(() => {
        throw new Error('The service does not answer.');
      }),
    ]);
  return {
    async send<T>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) {
      const deadline = performance.now() + READY_SECONDS * 1000;
      for (;;)
        try {
          const { url, token } = await within(next());
          const init = { method, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } };
          const reply = await fetch(url + path, {
            ...init,
            ...(body && { body: JSON.stringify(body) }),
            signal: AbortSignal.timeout(10_000),
          });
          if (!reply.ok) throw new Error(`${method} ${path} → ${reply.status}: ${await reply.text()}`);
          const text = await reply.text();
          return (text === '' ? undefined : JSON.parse(text)) as T;
        } catch (error) {
          if (performance.now() > deadline) throw error;
          await delay(200);
        }
    },
    async upload(path, content) {
      const { url, token } = await within(next());
      const at = `${url}/api/files/${path.split('/').map(encodeURIComponent).join('/')}`;
      const reply = await fetch(at, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}` },
        body: new Uint8Array(content),
        signal: AbortSignal.timeout(10_000),
      });
      await reply.arrayBuffer();
      // It is there: an earlier try has arrived.
      if (!reply.ok && reply.status !== 409) throw new Error(`PUT → ${reply.status}`);
    },
    async scan(watchId) {
      const tell = async (service: Member): Promise<void> => {
        const { url, token } = await loginAt(service.url());
        await must(`${url}/api/watches/${watchId}`, { token, method: 'PATCH', body: { state: 'ACTIVE' } });
      };
      await within(Promise.allSettled(services.map(tell))).catch(() => {});
    },
  };
}

async function makeWatches(
  api: ClusterApi,
  mediaRoot: string,
  isOnDisk: boolean,
): Promise<Readonly<Record<WatchKind, string>>> {
  const make = async (kind: WatchKind): Promise<string> => {
    const { folder, outputs, source } = WATCHES[kind];
    if (isOnDisk) await mkdir(join(mediaRoot, folder), { recursive: true });
    const request = { ...SAME_SOUND, output: `${outputs}{folder}{name}.wav` };
    // The clips of other soaks are in the folder too.
    const body = { folder, patterns: ['* *.wav'], source, request, settleSeconds: SETTLE_SECONDS };
    return (await api.send<WatchView>('POST', '/api/watches', body)).watchId;
  };
  return { keep: await make('keep'), move: await make('move') };
}

/** Waits until all files are converted and their sources settled. A person retries what has failed. */
async function settle(
  { postgres }: Cluster,
  api: ClusterApi,
  ids: Readonly<Record<WatchKind, string>>,
  landings: readonly Landing[],
  fault: (what: string) => void,
): Promise<void> {
  const deadline = performance.now() + SETTLED_SECONDS * 1000;
  let open: readonly string[] = [];
  do {
    for (const watchId of Object.values(ids))
      await api.send('PATCH', `/api/watches/${watchId}`, { state: 'ACTIVE' }).catch(() => {});
    const rows = await readLedger(postgres);
    const failed = rows.filter(({ state }) => state === 'FAILED' || state === 'NEEDS_ATTENTION');
    for (const { path, code } of failed)
      if (code !== null && !mayFail(path, code)) fault(`${path} failed with ${code}`);
    if (failed.some(({ path, code }) => code !== null && !mayFail(path, code))) return;
    for (const [watchId, some] of Map.groupBy(failed, (row) => row.watchId))
      await api.send('POST', `/api/watches/${watchId}/retry`, { paths: some.map(({ path }) => path) });
    open = landings.filter((landing) => !isSettled(landing, ids, rows)).map(({ watch, names }) => `${watch} ${names}`);
    if (open.length > 0) await delay(1000);
  } while (open.length > 0 && performance.now() < deadline);
  for (const name of open) fault(`lost: ${name} was not converted within ${SETTLED_SECONDS} s`);
}

const pathsOf = ({ watch, names }: Landing): readonly string[] => names.map((name) => WATCHES[watch].folder + name);

function isSettled(landing: Landing, ids: Readonly<Record<WatchKind, string>>, rows: readonly LedgerRow[]): boolean {
  const { watch } = landing;
  const paths = pathsOf(landing);
  return rows.some(
    ({ watchId, path, state, source }) =>
      watchId === ids[watch] &&
      paths.includes(path) &&
      state === 'CONVERTED' &&
      (WATCHES[watch].source === 'keep' || source === 'DONE'),
  );
}

/** Pauses the watches. Then no service has a lease for them. */
async function pause(api: ClusterApi, ids: Readonly<Record<WatchKind, string>>): Promise<void> {
  for (const watchId of Object.values(ids)) await api.send('PATCH', `/api/watches/${watchId}`, { state: 'PAUSED' });
}

async function expectNoLeftovers(
  cluster: Cluster,
  faults: readonly Fault[],
  fault: (what: string) => void,
): Promise<void> {
  // What could not be removed while the store was away is removed by the next start, or within an hour.
  if (faults.some(({ disturbsStore }) => disturbsStore))
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
  for (const leftover of leftovers) fault(`left over: ${leftover}`);
}

/** Each file has one row, which is converted, and one complete job; other jobs failed with the faults. */
function checkLedger(
  landings: readonly Landing[],
  ids: Readonly<Record<WatchKind, string>>,
  rows: readonly LedgerRow[],
  jobs: readonly WatchedJobRow[],
  fault: (what: string) => void,
): void {
  const known = new Set<string>();
  for (const landing of landings) {
    const watchId = ids[landing.watch];
    const paths = pathsOf(landing);
    for (const path of paths) known.add(`${watchId} ${path}`);
    const own = rows.filter((row) => row.watchId === watchId && paths.includes(row.path));
    if (own.length !== 1) fault(`${paths} has ${own.length} rows: ${JSON.stringify(own)}`);
    const complete = jobs.filter(
      (job) => job.watchId === watchId && paths.includes(job.input) && job.status === 'COMPLETED',
    );
    if (complete.length > 1) fault(`twice: ${paths} has the complete jobs ${complete.map(({ jobId }) => jobId)}`);
    if (complete.length === 0) fault(`lost: ${paths} has no complete job`);
  }
  for (const { watchId, path } of rows)
    if (!known.has(`${watchId} ${path}`)) fault(`${path} has a row and never landed`);
  for (const { watchId, input, status, code } of jobs) {
    if (!known.has(`${watchId} ${input}`)) fault(`${input} has a job and never landed`);
    if (status !== 'COMPLETED' && (code === null || !mayFail(input, code))) fault(`${input}: ${status} ${code}`);
  }
}

/** Each file has one output with its whole sound, each source is where it belongs, and there is nothing else. */
async function checkFiles(
  landings: readonly Landing[],
  folder: string,
  clips: readonly string[],
  fault: (what: string) => void,
): Promise<void> {
  const expected = new Set(clips);
  const read = (path: string): Promise<Buffer | undefined> => readFile(join(folder, path)).catch(() => undefined);
  for (const { watch, names, sound, isStalled } of landings) {
    const { folder: from, outputs } = WATCHES[watch];
    const last = names.at(-1) ?? '';
    const source = watch === 'move' ? `done/${last}` : `${from}${last}`;
    expected.add(source);
    if ((await read(source))?.equals(sound) !== true) fault(`${source} is not the source as it landed`);
    const made = (await Promise.all(names.map(async (name) => ({ name, bytes: await read(outputs + name) })))).filter(
      ({ bytes }) => bytes !== undefined,
    );
    for (const { name, bytes } of made) {
      expected.add(outputs + name);
      if (bytes !== undefined && !isStalled && !soundSame(bytes, sound)) fault(`half: ${outputs}${name} is not whole`);
    }
    if (made.length !== 1) fault(`${from}${names} has ${made.length} outputs`);
  }
  for (const path of await filesIn(folder))
    if (!expected.has(path) && !path.startsWith('.telecine')) fault(`${path} belongs to no file that landed`);
}

const countBy = (names: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, some]) => [name, some.length]));
