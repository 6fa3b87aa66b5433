/**
 * `npm run bench:watch-idle`: the processor time of an idle watch over 100,000 files in 1,000 folders and in one, on a local disk, on a disk
 * that is treated as a remote one, and in a bucket. Measures each kind of scan, with the time of the thread pool, and then follows the plan
 * of scans through a day. The comparison with the ledger is not in it: an idle scan yields no files, except the full one of each day.
 * `-- --count 2000 --rounds 3` makes it short.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { MediaRoot } from '../packages/contract/src/domain/media-root.ts';
import { NEVER } from '../packages/contract/src/domain/steps.ts';
import { localRoot } from '../packages/service/src/media/local/paths/root-boundary.ts';
import { diskSource } from '../packages/service/src/media/local/watches/disk-source.ts';
import { namedBuckets } from '../packages/service/src/media/s3/bucket.ts';
import { bucketSource } from '../packages/service/src/media/s3/bucket-source.ts';
import { s3Client } from '../packages/service/src/media/s3/client.ts';
import { s3Root } from '../packages/service/src/media/s3/location.ts';
import type { ScanKind, WatchedFolder, WatchedStorage, WatchSource } from '../packages/service/src/watches/ports.ts';
import { addScan, NO_SCANS, nextScan } from '../packages/service/src/watches/scans.ts';
import { endWithTests } from '../test/support/end-with-tests.ts';
import { bound, median, spread } from './support/figures.ts';
import { benchFolder, printMachine } from './support/machine.ts';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '5' } },
});
const [COUNT, ROUNDS] = [Number(values.count), Number(values.rounds)];
const LAYOUTS = [Math.min(1000, COUNT / 10), 1];

/** More than the steps of the clocks of all disks: before it, folders are read again. */
const SETTLED_MS = 3000;
const DAY_MS = 24 * 3_600_000;

const WHERE: WatchedFolder = { folder: 'in/', subfolders: true, accepts: (name) => /\.mov$/i.test(name) };

interface Cost {
  /** As the process has used it. */
  readonly realMs: number;
  /** As the source has told it, which decides about the pauses. */
  readonly toldMs: number;
}

const home = benchFolder('watch-idle');
printMachine(home);
for (const folders of LAYOUTS) {
  const name = `${COUNT} files in ${folders} ${folders === 1 ? 'folder' : 'folders'}`;
  const mediaRoot = join(realpathSync(home), `media-${folders}`);
  makeFiles(join(mediaRoot, 'in'), folders);
  for (const storage of ['local', 'remote'] as const) {
    const source = diskSource({ mediaRoot, reserved: [], isLocal: () => storage === 'local' });
    await measure(`${name} on a ${storage} disk`, storage, source, localRoot(mediaRoot));
  }
  await inBucket(folders, (source, root) => measure(`${name} in a bucket`, 'bucket', source, root));
}

function makeFiles(folder: string, folders: number): void {
  for (let i = 0; i < COUNT; i += 1) {
    const below = folders === 1 ? folder : join(folder, String(i % folders));
    if (i < folders) mkdirSync(below, { recursive: true });
    writeFileSync(join(below, `GX01${String(i).padStart(7, '0')}.MOV`), '');
  }
}

async function inBucket(folders: number, use: (source: WatchSource, root: MediaRoot) => Promise<void>): Promise<void> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'support/list-server.ts'), String(COUNT), String(folders)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  endWithTests(child);
  const [endpoint] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const credentials = { accessKeyId: 'bench', secretAccessKey: 'bench' };
  const client = s3Client({ endpoint, region: 'us-east-1', credentials });
  const storage = { bucket: 'bench', prefix: '' };
  try {
    await use(bucketSource(namedBuckets([], { client, location: storage })), s3Root(storage, undefined));
  } finally {
    client.destroy();
    child.kill();
  }
}

/** Measures the scans of a watch, and prints what an idle day of them costs. */
async function measure(name: string, storage: WatchedStorage, source: WatchSource, root: MediaRoot): Promise<void> {
  const memory = source.newMemory();
  const scan = async (kind: ScanKind): Promise<Cost & { readonly files: number }> => {
    const start = process.cpuUsage();
    let files = 0;
    for await (const page of source.scan(root, WHERE, { memory, kind, again: [], signal: NEVER })) files += page.length;
    const { user, system } = process.cpuUsage(start);
    return { realMs: (user + system) / 1000, toldMs: memory.cost.processorMs, files };
  };
  const first = await scan('full');
  if (first.files !== COUNT) throw new Error(`The first scan found ${first.files} files.`);
  await sleep(SETTLED_MS);
  await scan('quick');
  const costs: Partial<Record<ScanKind, Cost>> = {};
  console.log(`\n${name}`);
  for (const kind of ['full', 'thorough', 'quick', 'marked'] as const) {
    const measured: Awaited<ReturnType<typeof scan>>[] = [];
    for (let i = 0; i < ROUNDS; i += 1) measured.push(await scan(kind));
    const [real, told] = [measured.map(({ realMs }) => realMs), measured.map(({ toldMs }) => toldMs)];
    costs[kind] = { realMs: median(real), toldMs: median(told) };
    console.log(`  ${kind}: ${spread(real, 1)} ms of processor time, told ${spread(told, 1)} ms`);
    if (kind !== 'full' && measured.some(({ files }) => files > 0)) throw new Error('An idle scan has yielded files.');
  }
  const { share, listsPerMinute } = idleDay(storage, costs);
  bound(`${name}: processor time of an idle day in % of a core`, share * 100, '<=', 1, 3);
  if (storage === 'bucket') bound(`${name}: lists in the busiest minute`, listsPerMinute, '<=', 1, 0);
}

/** Follows the plan of scans through a day. */
function idleDay(
  storage: WatchedStorage,
  costs: Partial<Record<ScanKind, Cost>>,
): { readonly share: number; readonly listsPerMinute: number } {
  let [nowMs, history, usedMs] = [0, NO_SCANS, 0];
  const lists: number[] = [];
  while (nowMs < DAY_MS) {
    const { atMs, kind } = nextScan(history, { storage }, nowMs);
    const { realMs, toldMs } = costs[kind] ?? { realMs: 0, toldMs: 0 };
    nowMs = Math.max(nowMs, atMs);
    if (kind !== 'marked') lists.push(nowMs);
    nowMs += realMs;
    usedMs += realMs;
    history = addScan(history, { kind, storage, processorMs: toldMs, endedMs: nowMs, end: 'complete' });
  }
  const perMinute = lists.map((at, i) => lists.slice(i, i + 10).filter((one) => one < at + 60_000).length);
  return { share: usedMs / DAY_MS, listsPerMinute: Math.max(...perMinute) };
}
