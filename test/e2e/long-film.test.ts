// @module-tag long
import { copyFileSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import { makeOnce } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { ffmpegIn, ffprobeIn } from '../support/run-chunks.ts';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const test = needs('ffmpeg');
const start = sharedServer({ env: { TELECINE_CONCURRENCY: '2' } });

const HOURS = 4;
const SECONDS = HOURS * 3600;
const RATE = 2;
/** The film and its chunks take some seconds on a machine that does nothing else. */
const WAIT_SECONDS = 240;
const OPTIONS = { timeout: 2 * WAIT_SECONDS * 1000 };
const REQUEST = { input: 'film.mp4', parameters: { 'c:v': 'libx264', preset: 'ultrafast', crf: '30', 'c:a': 'copy' } };

/** A service with a film of hours in its media root. Its frames are few and tiny, so that it is made in seconds. */
async function startWithFilm() {
  const { server, admin } = await start();
  const folder = await makeOnce('film-of-hours', async (dir) => {
    const quiet = ['-v', 'error', '-nostdin'];
    const tone = ['-f', 'lavfi', '-t', '60', '-i', 'sine=440:r=8000', '-c:a', 'aac', '-b:a', '8k', 'tone.m4a'];
    await ffmpegIn(dir, [...quiet, ...tone]);
    await ffmpegIn(dir, [
      ...[...quiet, '-f', 'lavfi', '-i', `testsrc2=s=64x36:r=${RATE}:d=${SECONDS}`, '-stream_loop', '-1'],
      ...['-i', 'tone.m4a', '-t', `${SECONDS}`, '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '20'],
      ...['-c:a', 'copy', 'film.mp4'],
    ]);
  });
  copyFileSync(join(folder, 'film.mp4'), join(server.mediaRoot, 'film.mp4'));
  return { server, admin };
}

/** The bytes of all files of the service in the media root: scratch folders and chunks. A file with several names counts once. */
function reservedBytes({ mediaRoot }: TestServer): number {
  const files = new Map<number, number>();
  for (const path of globSync('.telecine/**/*', { cwd: mediaRoot })) {
    // A file may be removed between the listing and here.
    const found = statSync(join(mediaRoot, path), { throwIfNoEntry: false });
    if (found?.isFile() === true) files.set(found.ino, found.size);
  }
  return [...files.values()].reduce((sum, bytes) => sum + bytes, 0);
}

test('a film of four hours goes through chunks whole, in the space of two outputs', OPTIONS, async () => {
  const { server, admin } = await startWithFilm();
  let [most, chunks] = [0, 0];
  const jobId = await admin.accept({ ...REQUEST, output: 'out.mp4', chunks: { seconds: 600 } });
  const look = ({ status, encodedChunks }: JobView): boolean => {
    most = Math.max(most, reservedBytes(server));
    chunks = encodedChunks?.total ?? chunks;
    return status === 'COMPLETED' || status === 'FAILED';
  };
  const job = await admin.wait(jobId, look, WAIT_SECONDS);
  expect(job, JSON.stringify(job)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  expect(job.warnings).toBeUndefined();
  // One of them is the audio. A cut moves to a key frame, so the number of the others may differ by one.
  expect(Math.abs(chunks - 1 - (HOURS * 3600) / 600)).toBeLessThanOrEqual(1);
  const { size } = statSync(join(server.mediaRoot, 'out.mp4'));
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThan(2.5 * size);

  const times = async (file: string) => {
    const args = ['-v', 'error', '-select_streams', 'v', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', file];
    return (await ffprobeIn(server.mediaRoot, args))
      .split('\n')
      .map(Number.parseFloat)
      .filter(Number.isFinite)
      .sort(byNumber);
  };
  const [found, expected] = [await times('out.mp4'), await times('film.mp4')];
  expect(found).toHaveLength(SECONDS * RATE);
  expect(found).toEqual(expected);
  const audio = async (file: string) => {
    const args = [
      '-v',
      'error',
      '-select_streams',
      'a',
      '-show_entries',
      'packet=pts_time,data_hash',
      '-show_data_hash',
    ];
    return ffprobeIn(server.mediaRoot, [...args, 'md5', '-of', 'csv=p=0', file]);
  };
  expect(await audio('out.mp4')).toBe(await audio('film.mp4'));
});

const byNumber = (a: number, b: number): number => a - b;

test('a film of four hours has at most 500 chunks, however short they should be', OPTIONS, async () => {
  const { admin } = await startWithFilm();
  const jobId = await admin.accept({ ...REQUEST, output: 'short.mp4', chunks: { seconds: 5 } });
  const { encodedChunks } = await admin.wait(jobId, (job) => job.encodedChunks !== undefined, WAIT_SECONDS);
  await admin.request(`/api/conversion/${jobId}/cancel`, { method: 'POST' });
  expect(await admin.wait(jobId)).toMatchObject({ status: 'CANCELLED' });
  // The audio is one part more.
  expect(encodedChunks?.total).toBeLessThanOrEqual(501);
  expect(encodedChunks?.total).toBeGreaterThan(400);
});
