/**
 * `npm run bench:fair`: measures how much a greedy client, which uses all its limits, slows down another client. Compares the times of the
 * other client's status, list and submission and of `/health`, in turns: on an idle service, and while the greedy client reads, follows
 * events, previews, probes, uploads, downloads, measures, submits and calls MCP, all at once. All limits have their defaults. Before each
 * load, a minute passes, so that no limit per minute is used up. In production, both clients would run on other machines. Here, the load
 * has a lower priority than the service, and, for root, the other client has the highest. `-- --postgres`: two services on one database,
 * with the load on both. `-- --rounds 2 --seconds 3` makes it short; `-- --kinds lists,events` loads with these only.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { must } from '../scripts/lib/api.ts';
import { copySample, samplePath } from '../scripts/lib/samples.ts';
import { endWithTests } from '../test/support/end-with-tests.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { bound, median, percentile, spread } from './support/figures.ts';
import { Connection } from './support/http.ts';
import { benchFolder, printMachine } from './support/machine.ts';
import { watchProcessors } from './support/processor-time.ts';
import { type BenchService, startBenchService } from './support/service.ts';
import { startBareServer } from './support/start-bare-server.ts';

const ALL = 'statuses,lists,events,previews,manifests,probes,uploads,downloads,measurements,submissions,calls';
const { values } = parseArgs({
  options: {
    postgres: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '8' },
    kinds: { type: 'string', default: ALL },
  },
});
const [ROUNDS, SECONDS] = [Number(values.rounds), Number(values.seconds)];
const GREEDY = resolveProgram('support/greedy-client.ts');
/** The queued jobs of the greedy client, and the bytes of the metadata of each. */
const [PENDING, METADATA_BYTES] = [900, 1900];
/** The number of jobs of the other client, which its lists show. */
const JOBS = 60;
/** The pause between requests of the other client. */
const PAUSE_MS = 5;
/** How long the load runs before the measurement. The rest of its first burst is measured too. */
const SWING_MS = 300;
/** The niceness of the load: more than the service has, less than ffmpeg has. With that of ffmpeg, it could not use all its limits. */
const LOAD_NICENESS = 10;
/** After this time, no limit per minute is used up: a minute and a second. */
const WINDOW_MS = 61_000;

/** `bare`: a server in its own process that only replies. It shows how much slower replies get because the processors are busy. */
const KINDS = ['bare', 'health', 'status', 'list', 'submit'] as const;
type Kind = (typeof KINDS)[number];
type Latencies = Readonly<Record<Kind, number[]>>;

const folder = benchFolder('fair');
printMachine(folder);
setSessionNiceness('self', -20);
await using closers = new AsyncDisposableStack();
const slowSite = await startSlowSite();
const services = await startServices();
const urls = services.map(({ url }) => url);
const [{ url, pid, token: admin, mediaRoot }] = services;
const api = `${url}/api/conversion`;
makeMedia(mediaRoot);
await copySample('480p', join(mediaRoot, 'movie.mp4'));

/** Adds a client and returns its token. */
async function addClient(clientId: string): Promise<string> {
  const body = { clientId, root: '.' };
  const { clientSecret } = await must<{ clientSecret: string }>(`${url}/api/clients`, { token: admin, body });
  const login = { clientId, clientSecret };
  return (await must<{ accessToken: string }>(`${url}/api/auth/token`, { body: login })).accessToken;
}

const [greedy, other] = [await addClient('greedy'), await addClient('other')];
/** This job fetches its input endlessly, so that later jobs stay queued and use no processor time. */
const { jobId: endless } = await must<{ jobId: string }>(api, {
  token: greedy,
  body: { input: `${slowSite}/slow.mp4`, output: 'out/endless.mkv', parameters: { c: 'copy' } },
});
for (let i = 0; i < PENDING; i += 100) {
  const requests = Array.from({ length: 100 }, (_, at) => ({
    ...{ input: 'movie.mp4', output: `out/pending-${i + at}.mkv`, parameters: { c: 'copy' }, after: [endless] },
    metadata: { text: 'x'.repeat(METADATA_BYTES) },
  }));
  // Wait a minute, because the limit of submissions per minute is used up.
  if (i === 500) await sleep(WINDOW_MS);
  await must(`${url}/api/conversions`, { token: greedy, body: { requests } });
}
let loadedAt = performance.now();
const SUBMISSION = JSON.stringify({ input: 'missing.mp4', output: 'out/never.mp4', parameters: { c: 'copy' } });
const own: string[] = [];
while (own.length < JOBS) own.push((await must<{ jobId: string }>(api, { token: other, body: SUBMISSION })).jobId);

const connection = new Connection(url, other);
closers.defer(() => connection.close());
const timed = async (path: string, body?: string, on = connection): Promise<number> => {
  const from = performance.now();
  await on.send(path, body);
  return performance.now() - from;
};
const bareServer = await startBareServer();
closers.defer(() => void bareServer.child.kill());
const bare = new Connection(bareServer.address, '');
closers.defer(() => bare.close());

async function measure(seconds: number): Promise<Latencies> {
  const found: Latencies = { bare: [], health: [], status: [], list: [], submit: [] };
  const end = performance.now() + seconds * 1000;
  for (let i = 0; performance.now() < end; i++) {
    found.bare.push(await timed('/health', undefined, bare));
    found.health.push(await timed('/health'));
    found.status.push(await timed(`/api/conversion/${own[i % JOBS]}`));
    if (i % 2 === 0) found.list.push(await timed('/api/conversion?limit=50'));
    // Stay below the limit of submissions per minute.
    if (i % 8 === 0) found.submit.push(await timed('/api/conversion', SUBMISSION));
    await sleep(PAUSE_MS);
  }
  return found;
}

/** Resolves when only the endless job runs, because all jobs, previews and probes of the last load have ended. */
async function jobsEnd(): Promise<void> {
  for (let quiet = 0; quiet < 3; await sleep(500)) {
    const path = `${url}/api/conversion?status=PROCESSING&limit=2`;
    const { jobs } = await must<{ jobs: readonly unknown[] }>(path, { token: admin });
    quiet = jobs.length > 1 ? 0 : quiet + 1;
  }
}

/** Measures while the greedy client runs. Prints the statuses of the replies to the greedy client. */
async function measureUnderLoad(): Promise<Latencies> {
  loadedAt = performance.now();
  const loads = urls.map((at) => {
    const settings = { url: at, token: greedy, jobId: endless, kinds: values.kinds.split(',') };
    const child = spawn(process.execPath, [GREEDY, JSON.stringify(settings)], {
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true,
    });
    endWithTests(child);
    setSessionNiceness(child.pid ?? 0, LOAD_NICENESS);
    return child;
  });
  await sleep(SWING_MS);
  const shares = watchProcessors(pid, loads[0]?.pid);
  const found = await measure(SECONDS);
  console.log(`  ${shares()}`);
  for (const child of loads) {
    const exited = once(child, 'exit');
    child.stdin.end();
    console.log(`  ${(await child.stdout.setEncoding('utf8').toArray()).join('')}`);
    await exited;
  }
  // Wait for the end of the last calls of the greedy client.
  await sleep(2000);
  return found;
}

await measure(SECONDS / 2);
const rounds: { readonly idle: Latencies; readonly busy: Latencies }[] = [];
for (let i = 0; i < ROUNDS; i++) {
  await sleep(Math.max(0, loadedAt + WINDOW_MS - performance.now()));
  await jobsEnd();
  rounds.push({ idle: await measure(SECONDS), busy: await measureUnderLoad() });
}

for (const kind of KINDS)
  for (const share of [0.5, 0.99]) {
    const of = (side: 'idle' | 'busy') => rounds.map((round) => percentile(round[side][kind], share));
    const ratio = rounds.map((_, i) => (of('busy')[i] ?? Number.NaN) / (of('idle')[i] ?? Number.NaN));
    console.log(
      `${kind.padEnd(6)} p${share * 100}: idle ${spread(of('idle'), 2)} ms, beside the load ${spread(of('busy'), 2)} ms; ratio ${spread(ratio, 2)}`,
    );
    if (share === 0.99 && kind !== 'health' && kind !== 'bare')
      bound(`p99 of ${kind} beside the load, of that when idle`, median(ratio), '<=', 3);
    if (share === 0.99 && kind === 'health')
      bound('p99 of /health beside the load, in ms', median(of('busy')), '<=', 25);
  }
console.log(
  `the longest /health beside the load: ${median(rounds.map(({ busy }) => Math.max(...busy.health))).toFixed(1)} ms`,
);

async function startServices(): Promise<readonly [BenchService, ...BenchService[]]> {
  const env = {
    TELECINE_CLIENT_LIMITS: '',
    TELECINE_SERVICE_LIMITS: '',
    TELECINE_INPUT_URLS: new URL(slowSite).host,
  };
  if (!values.postgres) {
    const service = await startBenchService({ folder, env });
    closers.defer(() => service.stop());
    return [service];
  }
  const postgresFolder = join(folder, 'postgres');
  mkdirSync(postgresFolder);
  // If this process runs as root, PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o755);
  const postgres = await startPostgres(postgresFolder, { durable: true });
  closers.defer(() => postgres.stop());
  await postgres.sql('create database fair');
  const database = { TELECINE_DATABASE_URL: postgres.url('fair'), TELECINE_DATABASE_LISTEN_URL: postgres.url('fair') };
  const first = await startBenchService({ folder, env: { ...env, ...database } });
  closers.defer(() => first.stop());
  // The secret of the admin client is in the data folder of the first service, which added this client.
  cpSync(join(folder, 'data/admin-client.json'), join(folder, 'second/data/admin-client.json'));
  const second = await startBenchService({
    folder: join(folder, 'second'),
    env: { ...env, ...database, TELECINE_MEDIA_ROOT: first.mediaRoot },
  });
  closers.defer(() => second.stop());
  return [first, second];
}

/** Sets the priority of a session, if the kernel schedules sessions as groups and permits the change. */
function setSessionNiceness(pid: number | 'self', niceness: number): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, `${niceness}`);
  } catch {
    console.log(`  the session of ${pid} keeps its priority`);
  }
}

/** A site whose files never end: it sends a byte each second. Returns its address. */
async function startSlowSite(): Promise<string> {
  const site = createServer((_, reply) => {
    reply.writeHead(200, { 'content-type': 'video/mp4' });
    const timer = setInterval(() => reply.write('x'), 1000);
    reply.once('close', () => clearInterval(timer));
  });
  await once(site.listen(0, '127.0.0.1'), 'listening');
  closers.defer(() => {
    site.closeAllConnections();
    site.close();
  });
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
}

/** A film of 2,000 segments, and a large file. */
function makeMedia(root: string): void {
  mkdirSync(join(root, 'out'), { recursive: true });
  mkdirSync(join(root, 'segments'));
  const list = join(root, 'segments/list.m3u8');
  // Encode small segments, because a preview reads at most 512 MiB of a manifest.
  const encode = ['-t', '8', '-an', '-vf', 'scale=320:-2', '-force_key_frames', 'expr:gte(t,n_forced)'];
  const segment = [
    '-f',
    'segment',
    '-segment_time',
    '1',
    '-segment_list',
    list,
    '-segment_list_entry_prefix',
    'segments/',
  ];
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-i',
    samplePath('480p'),
    ...encode,
    ...segment,
    join(root, 'segments/%d.ts'),
  ]);
  const entries = readFileSync(list, 'utf8').match(/#EXTINF:.*\n.*\n/g) ?? [];
  const lines = Array.from({ length: 2000 }, (_, i) => entries[i % entries.length]).join('');
  writeFileSync(join(root, 'long.m3u8'), `#EXTM3U\n#EXT-X-TARGETDURATION:2\n${lines}#EXT-X-ENDLIST\n`);
  writeFileSync(join(root, 'large.bin'), Buffer.alloc(40 * 2 ** 20, 'x'));
}

function resolveProgram(path: string): string {
  return join(import.meta.dirname, path);
}
