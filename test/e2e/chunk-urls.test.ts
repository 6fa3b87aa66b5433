// @module-tag long
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect } from 'vitest';
import type { DryRunView } from '../../packages/contract/src/wire/dry-run.ts';
import { adminClient } from '../support/api-client.ts';
import { shortfalls } from '../support/as-good.ts';
import { type FileSite, startFileSite } from '../support/file-site.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';

const test = needs('ffmpeg');
const SECONDS = 8;
const X264 = { 'c:v': 'libx264', preset: 'ultrafast', crf: '28', 'c:a': 'aac' };
const SECRETS = ['hunter2', 'signature-of-url'];

let site: FileSite;
beforeAll(async () => {
  site = await startFileSite();
});
afterAll(() => site.close());

test('the worker of the job fetches an input at a URL once, and encodes all of its chunks', async () => {
  const server = await startServer({ env: { TELECINE_INPUT_URLS: site.host, TELECINE_CONCURRENCY: '2' } });
  const admin = await adminClient(server);
  const source = await putSmallMovie(server.mediaRoot, SECONDS, 'film.mp4');
  site.answer('/film.mp4', await readFile(join(server.mediaRoot, source)));
  const [password, signature] = SECRETS;
  const input = `http://user:${password}@${site.host}/film.mp4?sig=${signature}`;
  const request = { input, output: 'chunked.mp4', parameters: X264, chunks: { seconds: 2 } };
  const { body } = await admin.request<DryRunView>('/api/conversion?dryRun=true', { body: request });
  expect(body.plan.chunks).toEqual({ isWhole: false });

  // The rows are gone when the job has ended, so a trigger notes which chunks are taken by a ticket.
  using database = new DatabaseSync(join(server.dataDir, 'telecine.db'));
  database.exec(`create table taken (place integer, job_fence integer);
    create trigger note_taken after update of fence on job_chunks when new.fence > old.fence
    begin insert into taken values (new.place, new.job_fence); end`);
  const job = await admin.run(request);
  const taken = database.prepare('select place, job_fence from taken').all();
  database.exec('drop trigger note_taken; drop table taken');
  expect(job, JSON.stringify(job)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
  expect(job.warnings).toBeUndefined();
  expect(taken.length).toBeGreaterThan(3);
  expect(taken.filter((chunk) => chunk['job_fence'] === null)).toEqual([]);
  expect(site.requests.filter(({ line }) => line.startsWith('GET /film.mp4'))).toHaveLength(1);
  const views = JSON.stringify([body, job, await admin.log(job.jobId), server.log()]);
  for (const secret of SECRETS) expect(views).not.toContain(secret);

  const whole = await admin.run({ input: source, output: 'whole.mp4', parameters: X264 });
  expect(whole.status).toBe('COMPLETED');
  await mkdir(join(server.mediaRoot, 'pass'));
  const files = { source, whole: 'whole.mp4', inChunks: 'chunked.mp4', filters: 'null' };
  expect(await shortfalls(server.mediaRoot, { ...files, chunks: 4, seams: [] })).toEqual([]);
});
