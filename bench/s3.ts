/**
 * `npm run bench:s3`: compares staging and publishing on S3 with a plain copy of the same files by the AWS SDK: one GET into a file for
 * each input, one PUT from a file for each output, as many at a time as the service. Both run in turns, on Ceph's S3 server with its data
 * in memory.
 */
import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import { type MediaPath, parseMediaPath } from '../packages/contract/src/domain/media-path.ts';
import { s3Client } from '../packages/service/src/media/s3/client.ts';
import { keyLocks } from '../packages/service/src/media/s3/key-locks.ts';
import { s3Root } from '../packages/service/src/media/s3/location.ts';
import { FILES_AT_ONCE } from '../packages/service/src/media/s3/run-for-all.ts';
import { type S3Media, s3Media } from '../packages/service/src/media/s3/store.ts';
import { probeCopies } from '../packages/service/src/media/scratch/probe-copies.ts';
import { openSqlite } from '../packages/service/src/store/sqlite/open.ts';
import { ensureRadosgw } from '../scripts/setup/tools.ts';
import { startRadosgw } from '../test/support/radosgw.ts';
import { bound, median, spread } from './support/figures.ts';
import { benchFolder, printMachine } from './support/machine.ts';

const ROUNDS = 7;
const MEBIBYTE = 2 ** 20;

/**
 * The files of a job: the number and size of its inputs and of its outputs are the same. All rounds together must fit into the 4 GiB of the
 * server, which frees the data of deleted objects only hours later.
 */
const WORKLOADS = [
  { name: 'one film of 96 MiB', files: 1, bytes: 96 * MEBIBYTE },
  { name: '100 segments of 512 KiB', files: 100, bytes: MEBIBYTE / 2 },
] as const;

const BUCKET = 'bench';
const limit = pLimit(FILES_AT_ONCE);

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};

const pathOf = (text: string): MediaPath => {
  const path = parseMediaPath(text, '/');
  if (typeof path !== 'string') throw new Error(path.message);
  return path;
};

const folder = benchFolder('s3');
printMachine(folder);
if (!(await ensureRadosgw(console.log)))
  throw new Error('There is no S3 server: apt-get install ceph-mon ceph-osd radosgw');
for (const name of ['s3', 'files', 'plain', 'home']) await mkdir(join(folder, name));
const { stop, ...server } = await startRadosgw(join(folder, 's3'));
const client = s3Client({ ...server, region: 'us-east-1', credentials: server });
const store = await openSqlite(join(folder, 'telecine.db'));
let media: S3Media | undefined;
try {
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
  const storage = { bucket: BUCKET, prefix: '' };
  const { leases, outputUploads: uploads } = store;
  const log = { warn: (details: object, message: string) => console.error(message, details) };
  media = await s3Media({
    client,
    storage,
    uploads,
    locks: keyLocks(leases, uploads),
    folder: join(folder, 'home'),
    dataDir: join(folder, 'home'),
    minFreeBytes: 0,
    endProcessesIn: async () => undefined,
    copies: probeCopies({ scratchRoot: join(folder, 'home', 'jobs'), isPeer: () => false, log }),
    log,
  });
  for (const workload of WORKLOADS) await compare(media, workload);
} finally {
  await media?.close();
  await store.close();
  client.destroy();
  await stop();
}

async function compare(engine: S3Media, { name, files, bytes }: (typeof WORKLOADS)[number]): Promise<void> {
  const root = s3Root({ bucket: BUCKET, prefix: '' }, undefined);
  const names = Array.from({ length: files }, (_, i) => `f${files}-${i}.ts`);
  for (const file of names) {
    await writeFile(join(folder, 'files', file), randomBytes(bytes));
    await put(`in/${file}`, join(folder, 'files', file));
  }

  /** Each round needs new names, because neither the SDK copy nor the service replaces files. */
  const plain = async (round: number): Promise<{ readonly down: number; readonly up: number }> => {
    const target = join(folder, 'plain', `${files}-${round}`);
    await mkdir(target);
    const down = await seconds(() => limit.map(names, (file) => get(`in/${file}`, join(target, file))));
    const up = await seconds(() => limit.map(names, (file) => put(`plain/${round}/${file}`, join(target, file))));
    await rm(target, { recursive: true });
    return { down, up };
  };
  const ours = async (round: number): Promise<{ readonly down: number; readonly up: number }> => {
    const scratch = await engine.openScratch(`bench-${files}-${round}`, 1);
    const inputs = names.map((file, i) => ({
      logical: `in/${i}.ts`,
      path: pathOf(`in/${file}`),
      field: '/input',
    }));
    const output = {
      logical: `out/${names[0]}`,
      names: names.map((file) => [file]),
      folder: `ours/${round}/`,
      path: pathOf(`ours/${round}/${names[0]}`),
      field: '/output',
      subfolder: '',
      muxer: 'mpegts',
      replace: false,
    };
    const down = await seconds(() => engine.stage(root, scratch, inputs, [output]));
    const out = join(engine.scratchFolder(scratch), 'out');
    for (const file of names) await copyFile(join(folder, 'files', file), join(out, basename(file)));
    const up = await seconds(async () => {
      const intent = await engine.prepare(root, scratch, [{ files: output, report: {} }], []);
      if (!(await engine.publish(intent))) throw new Error('Nothing was published.');
    });
    await engine.discard(scratch);
    return { down, up };
  };

  await plain(-1);
  await ours(-1);
  const rounds: {
    readonly plain: Awaited<ReturnType<typeof plain>>;
    readonly ours: Awaited<ReturnType<typeof ours>>;
  }[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push(
      round % 2 === 0
        ? { plain: await plain(round), ours: await ours(round) }
        : { ours: await ours(round), plain: await plain(round) },
    );
  console.log(`\n${name}, ${ROUNDS} rounds a side`);
  for (const [title, of] of [
    ['staging', (side: 'plain' | 'ours') => rounds.map((one) => one[side].down)],
    ['publishing', (side: 'plain' | 'ours') => rounds.map((one) => one[side].up)],
    ['both', (side: 'plain' | 'ours') => rounds.map((one) => one[side].down + one[side].up)],
  ] as const) {
    const [bare, own] = [of('plain'), of('ours')];
    const ratios = own.map((value, i) => value / (bare[i] ?? Number.NaN));
    console.log(
      `${title.padEnd(10)}  plain ${spread(bare, 2)} s, telecine ${spread(own, 2)} s, ratio ${spread(ratios, 2)}`,
    );
    if (title === 'both') bound(`time of staging and publishing ${name}, of a plain copy`, median(ratios), '<=', 1.1);
  }
}

async function get(key: string, file: string): Promise<void> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key: key }));
  await pipeline(Body as Readable, createWriteStream(file));
}

async function put(key: string, file: string): Promise<void> {
  const { size } = await stat(file);
  await client.send(
    new PutObjectCommand({ Bucket: BUCKET, Key: key, Body: createReadStream(file), ContentLength: size }),
  );
}
