/**
 * `npm run bench:watch-idle`: the processor time of an idle watch over 100,000 files in 1,000 folders and in one, on a local disk and in a
 * bucket: that of a poll, with the thread pool, over the pause that follows it. `-- --count 2000 --rounds 3` makes it short.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import type { Caller } from '../packages/contract/src/domain/client.ts';
import type { MediaRoot } from '../packages/contract/src/domain/media-root.ts';
import { NEVER } from '../packages/contract/src/domain/steps.ts';
import type { Watch, WatchedFile } from '../packages/contract/src/domain/watch.ts';
import { s3Client } from '../packages/service/src/media/s3/client.ts';
import { type S3FilesOptions, s3Files } from '../packages/service/src/media/s3/files/s3-files.ts';
import { s3Root } from '../packages/service/src/media/s3/location.ts';
import { newPollMemory, pollFolder } from '../packages/service/src/watches/poll-folder.ts';
import type { WatchDeps } from '../packages/service/src/watches/watch-deps.ts';
import { type WatchedFolders, watchedFolders } from '../packages/service/src/watches/watched-folders.ts';
import { openDiskWatch } from '../test/fixtures/disk-watch.ts';
import { endWithTests } from '../test/support/end-with-tests.ts';
import { bound, median, spread } from './support/figures.ts';
import { benchFolder, printMachine } from './support/machine.ts';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '5' } },
});
const [COUNT, ROUNDS] = [Number(values.count), Number(values.rounds)];
const LAYOUTS = [Math.min(1000, COUNT / 10), 1];

const home = benchFolder('watch-idle');
printMachine(home);
for (const folders of LAYOUTS) {
  const name = `${COUNT} files in ${folders} ${folders === 1 ? 'folder' : 'folders'}`;
  const below = join(realpathSync(home), `${folders}`);
  mkdirSync(below);
  const disk = await openDiskWatch(below);
  makeFiles(disk.at(''), folders);
  await measure(`${name} on a disk`, disk.folders, disk.root);
  await inBucket(folders, (bucket, root) => measure(`${name} in a bucket`, bucket, root));
}
process.exit();

function makeFiles(folder: string, folders: number): void {
  for (let i = 0; i < COUNT; i += 1) {
    const below = folders === 1 ? folder : join(folder, String(i % folders));
    if (i < folders) mkdirSync(below, { recursive: true });
    writeFileSync(join(below, `GX01${String(i).padStart(7, '0')}.MOV`), 'x');
  }
}

async function inBucket(
  folders: number,
  use: (folders: WatchedFolders, root: MediaRoot) => Promise<void>,
): Promise<void> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'support/list-server.ts'), String(COUNT), String(folders)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  endWithTests(child);
  const [endpoint] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const credentials = { accessKeyId: 'bench', secretAccessKey: 'bench' };
  const client = s3Client({ endpoint, region: 'us-east-1', credentials });
  const files = s3Files({ client } as S3FilesOptions);
  try {
    await use(
      watchedFolders(files, { statPaths: async () => [] }, () => true),
      s3Root({ bucket: 'bench', prefix: '' }, undefined),
    );
  } finally {
    client.destroy();
    child.kill();
  }
}

/** Measures the polls of a watch that knows all files, and prints what an idle day of them costs. */
async function measure(name: string, folders: WatchedFolders, root: MediaRoot): Promise<void> {
  const watch = { watchId: 'w', clientId: 'c', folder: 'in/', subfolders: true, settleSeconds: 10 } as Watch;
  // A ledger that knows each file, so that the first poll remembers all.
  let versions = new Map<string, string>();
  const at = new Date().toISOString();
  const ledger = {
    find: async (_watchId: string, paths: readonly string[]) =>
      new Map(
        paths.map((path) => [path, { state: 'CONVERTED', version: versions.get(path), seenAt: at } as WatchedFile]),
      ),
  };
  const deps = {
    ...{ ledger, folders, now: () => new Date(), monotonic: () => performance.now() },
    onError: (error: unknown) => {
      throw error;
    },
  } as unknown as WatchDeps;
  versions = new Map((await folders.list(root, 'in/', NEVER)).map(({ path, version }) => [path, version]));
  const memory = newPollMemory();
  const poll = async () => {
    const start = process.cpuUsage();
    const result = await pollFolder({ ...deps, watch, caller: { root } as Caller, signal: NEVER }, memory);
    if (result?.files !== COUNT) throw new Error(`The poll found ${result?.files} files.`);
    const { user, system } = process.cpuUsage(start);
    const isBucket = folders.isBucket('in/');
    return { usedMs: (user + system) / 1000, pauseMs: Math.max(isBucket ? 60_000 : 5000, result.pauseMs) };
  };
  await poll();
  const measured: Awaited<ReturnType<typeof poll>>[] = [];
  for (let i = 0; i < ROUNDS; i += 1) measured.push(await poll());
  const [used, pauses] = [measured.map(({ usedMs }) => usedMs), measured.map(({ pauseMs }) => pauseMs / 1000)];
  console.log(`\n${name}: ${spread(used, 0)} ms of processor time, then ${spread(pauses, 0)} s of pause`);
  const shares = measured.map(({ usedMs, pauseMs }) => (100 * usedMs) / pauseMs);
  bound(`${name}: processor time of an idle watch in % of a core`, median(shares), '<=', 1, 3);
}
