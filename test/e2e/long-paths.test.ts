// @module-tag long

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, inject } from 'vitest';
import { adminClient } from '../support/api-client.ts';
import { needs } from '../support/needs.ts';
import { startMeasured } from '../support/own-stalls.ts';
import { onDisk, onSqlite } from '../support/test-engines.ts';
import { waitUntil } from '../support/wait.ts';

/** ffmpeg reads packets of 4,096 bytes from a WAV file: a tenth of a second of it. */
const BYTES_PER_SECOND = 40_960;

/** A WAV file of silence. Segments of copied sound cost ffmpeg hardly anything. */
function silence(seconds: number): Buffer {
  const bytes = seconds * BYTES_PER_SECOND;
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + bytes, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(BYTES_PER_SECOND, 24);
  head.writeUInt32LE(BYTES_PER_SECOND, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(bytes, 40);
  return Buffer.concat([head, Buffer.alloc(bytes, 128)]);
}

/** In a bucket, each file takes some requests. */
const IS_ON_DISK = (inject('engines')?.storage ?? 'disk') === 'disk';
const JOBS = IS_ON_DISK ? 8 : 2;
/** How long each file is: 9,900 files, or 1,980. */
const [SHORT, LONG] = ['0.1', '0.5'] as const;

const request = (folder: string, segmentSeconds: string) => ({
  input: 'in.wav',
  output: `${folder}/o_%05d.wav`,
  format: 'segment',
  parameters: { 'c:a': 'copy', f: 'segment', segment_time: segmentSeconds },
});

/** Paths of 385 bytes: 9,900 of them have nearly the 4 MB that one job may publish. */
const FOLDER = `${'a'.repeat(180)}/${'b'.repeat(180)}`;

/**
 * What one turn of the event loop may compute, and what the service may take of the memory: a third above what a slow machine takes. Lists
 * that are handled whole take 500 ms and a gigabyte.
 */
const BOUNDED = { stallMs: 180, rss: 640_000_000 };

const test = needs('ffmpeg', 'linux');

test('eight jobs that publish 10,000 files with long paths each leave the service to others', async () => {
  const { server, stalls } = await startMeasured({ env: { TELECINE_CONCURRENCY: '2' } });
  await server.media.put('in.wav', silence(990));
  const api = await adminClient(server);
  const ids = await Promise.all(
    Array.from({ length: JOBS }, (_, n) => api.accept(request(`x${n}/${FOLDER}`, IS_ON_DISK ? SHORT : LONG))),
  );
  for (const id of ids) {
    const { error, outputCount, outputs } = await api.wait(id, undefined, 560);
    expect(error).toBeUndefined();
    expect(outputCount ?? outputs?.length).toBeGreaterThan(IS_ON_DISK ? 9800 : 1900);
  }
  const { longest, rss } = await stalls();
  expect(longest[0], `${longest}`).toBeLessThan(BOUNDED.stallMs);
  expect(rss).toBeLessThan(BOUNDED.rss);

  if (!IS_ON_DISK) return;
  // Moves the files of a job to paths of 2.5 KB, and back.
  const far = `${Array.from({ length: 9 }, () => 'd'.repeat(250)).join('/')}/`;
  const move = (from: string, to: string) => api.request('/api/file-moves', { body: { from, to } });
  expect(await move('x0/', far)).toMatchObject({ status: 200 });
  expect(await move(far, 'x0/')).toMatchObject({ status: 200 });
  const moved = await stalls();
  expect(moved.longest[0], `${moved.longest}`).toBeLessThan(BOUNDED.stallMs);
}, 900_000);

onDisk('No key of a bucket has such a path.', 'ffmpeg', 'linux')(
  'a job whose paths have more than 4 MB together fails, and publishes nothing',
  async () => {
    const { server, stalls } = await startMeasured();
    await server.media.put('in.wav', silence(990));
    const api = await adminClient(server);
    const job = await api.run(request(`x/${Array.from({ length: 11 }, () => 'a'.repeat(250)).join('/')}`, LONG));
    expect(job).toMatchObject({
      status: 'FAILED',
      error: { code: 'UNSUPPORTED', message: expect.stringContaining('more than 4 MB') },
    });
    expect(await server.media.list()).toEqual(['in.wav']);
    const { longest } = await stalls();
    expect(longest[0], `${longest}`).toBeLessThan(BOUNDED.stallMs);
  },
  300_000,
);

onSqlite('It changes rows.', 'ffmpeg', 'linux')(
  '200 jobs with thousands of outputs that expire at once end no service with a small heap',
  async () => {
    const first = await startMeasured();
    await first.server.media.put('in.wav', silence(990));
    const api = await adminClient(first.server);
    const jobId = await api.accept({ ...request(`x/${FOLDER}`, LONG), expiresAfterSeconds: 60 });
    expect(await api.wait(jobId, undefined, 200)).toMatchObject({ status: 'COMPLETED' });
    await first.server.stop();
    const { dataDir, mediaRoot } = first.server;
    const db = new DatabaseSync(join(dataDir, 'telecine.db'));
    // 200 jobs that write 2,000 files would take minutes, so the others have the same files, which are gone after the first.
    db.exec(`update output_expiries set due_at = '2020-01-01T00:00:00.000Z'`);
    for (let n = 1; n < 200; n += 1)
      db.exec(
        `insert into output_expiries select '${n}-' || job_id, client_id, due_at, outputs from output_expiries limit 1`,
      );
    const left = () => Number(db.prepare('select count(*) as n from output_expiries').get()?.['n']);
    expect(left()).toBe(200);
    const { server, stalls } = await startMeasured({ dataDir, mediaRoot }, '--max-old-space-size=512');
    await waitUntil('all outputs to expire', async () => (left() === 0 ? true : undefined), 840);
    db.close();
    // The folders stay.
    expect((await server.media.list()).filter((path) => path.endsWith('.wav'))).toEqual(['in.wav']);
    const { longest, rss } = await stalls();
    expect(longest[0], `${longest}`).toBeLessThan(BOUNDED.stallMs);
    expect(rss).toBeLessThan(BOUNDED.rss);
  },
  900_000,
);
