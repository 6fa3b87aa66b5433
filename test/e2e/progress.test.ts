import { expect } from 'vitest';
import type { JobView } from '../../src/wire/job.ts';
import type { ApiClient } from '../support/api-client.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer({ env: { TELECINE_CONCURRENCY: '5' } });
const test = needs('ffmpeg').concurrent;
/** Filters and two passes are for a service with a sandbox. */
const sandboxed = needs('sandbox').concurrent;

async function ready() {
  const { server, admin } = await start();
  await putSample(server.mediaRoot, '480p', 'movie.mp4');
  return admin;
}

/** Slow on any machine, and without a lookahead that would keep back the first frames. */
const SLOW = { 'c:v': 'libx264', preset: 'veryslow', tune: 'zerolatency', threads: '1', an: '' };

/** Well after the start: ffmpeg counts no frames a second before it has run for one. */
const measured = (job: JobView, beyond: number): boolean =>
  job.status !== 'PENDING' && (job.status !== 'PROCESSING' || (job.fps !== undefined && (job.progress ?? 0) > beyond));

/** Looks at a running job once it is so many percent on its way, each time, then ends it. */
async function looks(client: ApiClient, request: object, times: number): Promise<readonly JobView[]> {
  const jobId = await client.accept(request);
  const seen: JobView[] = [];
  while (seen.length < times) seen.push(await client.wait(jobId, (job) => measured(job, seen.at(-1)?.progress ?? 3)));
  await client.request(`/api/conversion/${jobId}/cancel`, { method: 'POST' });
  await client.wait(jobId);
  return seen;
}

/** Percent, speed and seconds left must tell one story of a part that lasts `seconds`. */
function expectToFit({ progress = 0, speed = 0, etaSeconds = 0 }: JobView, seconds: number): void {
  const left = (seconds * (1 - progress / 100)) / speed;
  expect(etaSeconds).toBeGreaterThan(0.7 * left);
  expect(etaSeconds).toBeLessThan(1.3 * left + 0.2);
}

test('a running job shows a progress that rises, its speed, its frames a second and the time that is left', async ({
  expect,
}) => {
  const admin = await ready();
  const request = { input: 'movie.mp4', output: 'whole.mp4', parameters: { ...SLOW, preset: 'fast' } };
  const [first, second] = await looks(admin, request, 2);
  expect(second?.progress).toBeGreaterThan(first?.progress ?? 100);
  expect(await admin.log(first?.jobId ?? '')).toContain("Output #0, mp4, to 'out/whole.mp4':");
  for (const job of [first, second]) {
    if (job === undefined) throw new Error('It was not looked at.');
    expect(job).toMatchObject({ status: 'PROCESSING', phase: 'CONVERTING', attempt: 1 });
    expect(job.message).toBe('The job is being processed.');
    expect(job.startedAt).toBeDefined();
    expect(job.completedAt).toBeUndefined();
    expect(job.links).toMatchObject({ cancel: `/api/conversion/${job.jobId}/cancel` });
    expectToFit(job, 30);
    // 24 frames of the movie make a second.
    expect((job.fps ?? 0) / ((job.speed ?? 1) * 24)).toBeCloseTo(1, 0);
  }
});

const TRIMMED: readonly (readonly [string, object])[] = [
  ['ss and t on the output', { input: 'movie.mp4', parameters: { ...SLOW, ss: '1', t: '3' } }],
  ['to on the output', { input: 'movie.mp4', parameters: { ...SLOW, to: '00:00:03' } }],
  ['ss and to on an input', { inputs: [{ input: 'movie.mp4', parameters: { ss: '26', to: '29' } }], parameters: SLOW }],
];

test.for(TRIMMED)('percent is that of the part that is asked for: %s', async ([title, part], { expect }) => {
  const admin = await ready();
  const [job] = await looks(admin, { output: `${title}.mp4`, ...part }, 1);
  expect(job?.status).toBe('PROCESSING');
  if (job !== undefined) expectToFit(job, 3);
});

sandboxed('two passes are one progress', async ({ expect }) => {
  const admin = await ready();
  // A first pass that takes as long as the second, so that both are seen.
  const parameters = { ...SLOW, preset: 'medium', fastfirstpass: '0', 'b:v': '1M', pass: '2', t: '5' };
  const jobId = await admin.accept({ input: 'movie.mp4', output: 'passes.mp4', parameters });
  const seen: number[] = [];
  const job = await admin.wait(jobId, ({ status, progress }) => {
    if (status === 'PROCESSING' && progress !== undefined) seen.push(progress);
    return status === 'COMPLETED' || status === 'FAILED';
  });
  expect(job).toMatchObject({ status: 'COMPLETED', progress: 100 });
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  const between = seen.filter((progress) => progress > 0);
  expect(new Set(between).size).toBeGreaterThan(1);
  expect(Math.min(...between), 'the first pass is the first half').toBeLessThan(50);
  expect(Math.max(...between), 'and the second one the other').toBeGreaterThan(50);
  expect(await admin.log(jobId)).toMatch(/^Pass 1 of 2$[\s\S]*^Pass 2 of 2$/m);
});
