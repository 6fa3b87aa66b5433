import { existsSync } from 'node:fs';
import { chmod, copyFile, cp, mkdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import type { AcceptedBatchView, BatchView } from '../../packages/contract/src/wire/batch.ts';
import type { ReadyView } from '../../packages/contract/src/wire/system.ts';
import type { WorkerListView } from '../../packages/contract/src/wire/workers.ts';
import { descendants } from '../../packages/ffmpeg/src/process/process-tree.ts';
import { ensureFaketime } from '../../scripts/setup/tools.ts';
import { startStoreNetwork } from '../faults/cluster/store-network.ts';
import { startTcpProxy } from '../faults/cluster/tcp-proxy.ts';
import { type ApiClient, adminClient } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { startPostgres } from '../support/postgres.ts';
import { newBucket, s3Environment, s3Server, testClient } from '../support/s3.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { tools } from '../support/tools.ts';
import { waitUntil } from '../support/wait.ts';

/** The jobs of each fault. A tenth ends before it, and the others meet it. */
const JOBS = Number(process.env['UNREADY_JOBS'] ?? 300);
const IN_BATCH = 100;

const DISK = 48_000_000;
const RESERVE = 16_000_000;

const test = needs('ffmpeg', 'PostgreSQL', 'an S3 server', 'bubblewrap', 'linux');

interface World {
  readonly api: TestServer;
  readonly admin: ApiClient;
  /** The worker that gets the faults. */
  readonly bad: TestServer;
  /** The path of a file as this worker sees it. */
  seen(path: string): string;
  readonly dataDir: string;
  readonly scratchDir: string;
  readonly ffmpeg: string;
  /** While this file exists, bubblewrap fails for the worker. */
  readonly sandboxFails: string;
  readonly network: Awaited<ReturnType<typeof startTcpProxy>>;
  readonly storeNetwork: Awaited<ReturnType<typeof startStoreNetwork>>;
  setClock(seconds: number): Promise<void>;
}

const closers = new AsyncDisposableStack();
let world: World;

/** An API, two workers without faults, and one whose disks, programs, networks and clock the test can break. */
beforeAll(async () => {
  if (inject('s3') === undefined) return;
  const folder = await testFolder('unready');
  await chmod(folder, 0o711);
  const path = (name: string): string => join(folder, name);
  const postgresFolder = await testFolder('postgres');
  const postgres = await startPostgres(postgresFolder);
  closers.defer(() => postgres.stop());
  await postgres.sql('create database telecine');
  const s3 = s3Server();
  const client = testClient(s3);
  closers.defer(() => client.destroy());
  const bucket = await newBucket(client);
  const image = 'P6 64 48 255\n';
  const Body = Buffer.concat([Buffer.from(image), Buffer.alloc(64 * 48 * 3, 120)]);
  await client.send(new PutObjectCommand({ Bucket: bucket, Key: 'in.ppm', Body }));

  const network = await startTcpProxy(postgres.port);
  closers.defer(() => network.close());
  const storeNetwork = await startStoreNetwork(s3.endpoint);
  closers.defer(() => storeNetwork.close());
  const env = {
    ...s3Environment(s3, bucket),
    TELECINE_DATABASE_URL: postgres.url('telecine'),
    TELECINE_RATE_LIMIT: 'off',
    TELECINE_CONCURRENCY: '1',
  };
  const api = await startServer({ env, args: ['--no-worker'], until: 'listening' });
  for (const _ of [1, 2]) await startServer({ env, command: 'worker' });

  const [dataDir, scratchDir] = [path('data'), path('scratch')];
  for (const each of [dataDir, scratchDir]) await mkdir(each);
  const [ffmpeg, realBwrap, bwrap, sandboxFails, clock] = ['ffmpeg', 'bwrap', 'fake-bwrap', 'fails', 'clock'].map(
    path,
  ) as [string, string, string, string, string];
  await copyFile(tools().ffmpegPath, ffmpeg);
  await copyFile('/usr/bin/bwrap', realBwrap);
  const failure = "echo 'bwrap: No permissions to create a new namespace' >&2; exit 1";
  await writeFile(bwrap, `#!/bin/sh\nif [ -e '${sandboxFails}' ]; then ${failure}; fi\nexec '${realBwrap}' "$@"\n`);
  await chmod(bwrap, 0o755);
  await cp(inject('catalogues') ?? '', path('catalogues'), { recursive: true });
  const setClock = (seconds: number) => writeFile(clock, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  await setClock(0);
  const libfaketime = await ensureFaketime(console.log);
  const onDisk = (at: string): readonly string[] => ['--size', `${DISK}`, '--tmpfs', at];
  const bad = await startServer({
    dataDir,
    mediaRoot: path('media'),
    command: 'worker',
    launcher: [
      ...['bwrap', '--dev-bind', '/', '/', ...onDisk(dataDir), ...onDisk(scratchDir)],
      ...['--bind', path('catalogues'), join(dataDir, 'catalogues'), '--ro-bind', bwrap, '/usr/bin/bwrap'],
    ],
    env: {
      ...env,
      TELECINE_DATABASE_URL: `postgres://telecine@127.0.0.1:${network.port}/telecine`,
      TELECINE_STORAGE_ENDPOINT: storeNetwork.endpoint,
      TELECINE_SCRATCH_DIR: scratchDir,
      TELECINE_MIN_FREE_DISK: String(RESERVE),
      TELECINE_MIN_FREE_DATA_DISK: String(RESERVE),
      TELECINE_SANDBOX: 'required',
      FFMPEG_PATH: ffmpeg,
      FFPROBE_PATH: tools().ffprobePath,
      ...(libfaketime && {
        LD_PRELOAD: libfaketime,
        FAKETIME_TIMESTAMP_FILE: clock,
        FAKETIME_CACHE_DURATION: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      }),
    },
  });
  const roots = [bad.pid, ...(await descendants(bad.pid))].map((pid) => `/proc/${pid}/root`);
  const root = roots.find((each) => existsSync(join(each, dataDir, 'jobs')));
  if (root === undefined) throw new Error('No process sees the disks of the worker.');
  world = {
    ...{ api, bad, dataDir, scratchDir, ffmpeg, sandboxFails, network, storeNetwork, setClock },
    admin: await adminClient(api),
    seen: (file) => join(root, file),
  };
}, 180_000);
afterAll(() => closers.disposeAsync());

/** Fills a disk of the worker, but for a few kilobytes. */
async function fill(folder: string): Promise<void> {
  const at = world.seen(folder);
  const { bavail, bsize } = await statfs(at);
  await writeFile(join(at, 'ballast'), Buffer.alloc(Math.max(0, bavail * bsize - 20_000)));
}
const empty = (folder: string) => rm(join(world.seen(folder), 'ballast'));

interface Fault {
  /** The check that fails. Absent: the worker cannot say so. */
  readonly check?: string;
  readonly says?: RegExp;
  inject(): Promise<void> | void;
  end(): Promise<void> | void;
}

const FAULTS: Readonly<Record<string, Fault>> = {
  'its scratch disk is full': {
    ...{ check: 'disk', says: /are free in the scratch folder; at least 16 MB/ },
    inject: () => fill(world.scratchDir),
    end: () => empty(world.scratchDir),
  },
  'its data disk is full': {
    ...{ check: 'dataDisk', says: /are free in the data folder/ },
    inject: () => fill(world.dataDir),
    end: () => empty(world.dataDir),
  },
  'its ffmpeg is removed': {
    ...{ check: 'ffmpeg', says: /^The ffmpeg was removed/ },
    inject: () => rename(world.ffmpeg, `${world.ffmpeg}.away`),
    end: () => rename(`${world.ffmpeg}.away`, world.ffmpeg),
  },
  'its sandbox is broken': {
    ...{ check: 'sandbox', says: /^The sandbox does not run ffmpeg any more/ },
    inject: () => writeFile(world.sandboxFails, ''),
    end: () => rm(world.sandboxFails),
  },
  'it cannot reach the store': {
    ...{ check: 'storage', says: /cannot be listed/ },
    inject: () => world.storeNetwork.network.cut('refuse'),
    end: () => world.storeNetwork.network.heal(),
  },
  'its clock is an hour ahead': {
    ...{ check: 'clock', says: /^The clock of this machine is 60 minutes ahead/ },
    inject: () => world.setClock(3600),
    end: () => world.setClock(0),
  },
  'it cannot reach the database': {
    inject: () => world.network.cut('refuse'),
    end: () => world.network.heal(),
  },
};

/** Queues as many small jobs as `count`. Resolves to a function that reads them. */
async function queueJobs(folder: string, count: number) {
  const ids: string[] = [];
  for (let from = 0; from < count; from += IN_BATCH) {
    const numbers = Array.from({ length: Math.min(IN_BATCH, count - from) }, (_, index) => from + index);
    const requests = numbers.map((n) => ({ input: 'in.ppm', output: `${folder}/${n}.jpg`, parameters: {} }));
    const { status, body } = await world.admin.request<AcceptedBatchView>('/api/conversions', { body: { requests } });
    expect(status).toBe(202);
    ids.push(body.batchId);
  }
  return async () => {
    const batches = await Promise.all(ids.map((id) => world.admin.request<BatchView>(`/api/conversions/${id}`)));
    return batches.flatMap(({ body }) => body.jobs);
  };
}

const hasEnded = ({ status }: { readonly status: string }): boolean => status !== 'PENDING' && status !== 'PROCESSING';
const workers = async () => (await world.admin.request<WorkerListView>('/api/workers')).body.workers;
/** The worker with the faults: the process inside the launcher reports. */
const badWorker = async () => {
  const pids = [world.bad.pid, ...(await descendants(world.bad.pid))];
  return (await workers()).find(({ pid }) => pids.includes(pid));
};
const readyOf = async (url: string) => (await (await fetch(`${url}/ready`)).json()) as ReadyView;

for (const [what, { check, says, inject: injectFault, end }] of Object.entries(FAULTS))
  test(`${JOBS} jobs complete while one of three workers is not ready, because ${what}`, {
    timeout: 900_000,
  }, async () => {
    const folder = what.replaceAll(' ', '-');
    const jobs = await queueJobs(folder, JOBS);
    const ended = async (count: number) =>
      waitUntil(
        `${count} jobs`,
        async () => {
          const all = await jobs();
          return all.filter(hasEnded).length >= count ? all : undefined;
        },
        600,
      );
    await ended(JOBS / 10);
    await injectFault();
    if (check !== undefined) {
      const unready = await waitUntil('the worker to say why it is not ready', async () => {
        const worker = await badWorker();
        return worker?.failedChecks?.some((one) => one.check === check) ? worker : undefined;
      });
      const message = expect.stringMatching(says ?? /./);
      expect(unready.failedChecks).toContainEqual({ check, message });
      expect(unready.state).toBe('unready');
      expect(await readyOf(world.bad.url)).toMatchObject({ checks: { [check]: { status: 'failed', message } } });
      const ofWorkers = { status: 'ok', message: expect.stringMatching(/^1 of 3 workers is not ready/) };
      await waitUntil('the API to say so', async () => {
        const { message: text = '' } = (await readyOf(world.api.url)).checks['workers'] ?? {};
        return text.startsWith('1 of 3') || undefined;
      });
      expect((await readyOf(world.api.url)).checks['workers']).toMatchObject(ofWorkers);
    }
    const all = await ended(JOBS);
    const failed = all.filter(({ status }) => status !== 'COMPLETED').map(({ error }) => error);
    expect(failed).toEqual([]);
    // The jobs that ran when the fault began may be attempted twice.
    expect(all.filter(({ attempt }) => attempt > 1).length).toBeLessThanOrEqual(4);

    await end();
    await waitUntil('the worker to be ready', async () => {
      const worker = await badWorker();
      return worker?.state === 'running' || undefined;
    });
    const others = (await workers()).filter((one) => one.state === 'running').map(({ workerId }) => workerId);
    const bad = (await badWorker())?.workerId;
    const order = (verb: string) =>
      Promise.all(
        others
          .filter((id) => id !== bad)
          .map((id) => world.admin.request(`/api/workers/${id}/${verb}`, { method: 'POST' })),
      );
    await order('drain');
    const after = await queueJobs(`${folder}-after`, 3);
    await waitUntil('the jobs on this worker', async () => (await after()).every(hasEnded) || undefined);
    await order('resume');
    expect((await after()).map(({ status }) => status)).toEqual(Array(3).fill('COMPLETED'));
  });
