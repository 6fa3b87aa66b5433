import { expect } from 'vitest';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import type { ApiClient } from '../support/api-client.ts';
import { commonServer } from '../support/common-server.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;
/** The test function for conversions that need the sandbox on this machine. */
const sandboxed = needs('sandbox').concurrent;

async function ready() {
  const { server, own } = await start();
  await putSample(server.mediaRoot, '480p', 'movie.mp4');
  return own;
}

/** A conversion that is slow on any machine. It uses no lookahead, which would delay the first frames. */
const SLOW = { 'c:v': 'libx264', preset: 'veryslow', tune: 'zerolatency', threads: '1', an: '' };

/** Wait for a frame rate, which ffmpeg reports only after its first second. */
const measured = (job: JobView, beyond: number): boolean =>
  job.status !== 'PENDING' && (job.status !== 'PROCESSING' || (job.fps !== undefined && (job.progress ?? 0) > beyond));

/** Reads a running job when it reaches each of these percentages, then cancels it. */
async function readAt(client: ApiClient, request: object, times: number): Promise<readonly JobView[]> {
  const jobId = await client.accept(request);
  const seen: JobView[] = [];
  while (seen.length < times) seen.push(await client.wait(jobId, (job) => measured(job, seen.at(-1)?.progress ?? 3)));
  await client.request(`/api/conversion/${jobId}/cancel`, { method: 'POST' });
  await client.wait(jobId);
  return seen;
}

/** Expects that percent, speed and remaining time agree for a part of `seconds`. */
function expectToFit({ progress = 0, speed = 0, etaSeconds = 0 }: JobView, seconds: number): void {
  const remaining = (seconds * (1 - progress / 100)) / speed;
  expect(etaSeconds).toBeGreaterThan(0.7 * remaining);
  expect(etaSeconds).toBeLessThan(1.3 * remaining + 0.2);
}

test('a running job shows rising progress, speed, frame rate and remaining time', async ({ expect }) => {
  const own = await ready();
  const request = { input: 'movie.mp4', output: 'whole.mp4', parameters: { ...SLOW, preset: 'slow' } };
  const [first, second] = await readAt(own, request, 2);
  expect(second?.progress).toBeGreaterThan(first?.progress ?? 100);
  expect(await own.log(first?.jobId ?? '')).toContain("Output #0, mp4, to 'out/whole.mp4':");
  for (const job of [first, second]) {
    if (job === undefined) throw new Error('It was not looked at.');
    expect(job).toMatchObject({ status: 'PROCESSING', phase: 'CONVERTING', attempt: 1 });
    expect(job.message).toBe('The job is being processed.');
    expect(job.startedAt).toBeDefined();
    expect(job.completedAt).toBeUndefined();
    expect(job.links).toMatchObject({ cancel: `/api/conversion/${job.jobId}/cancel` });
    expectToFit(job, 30);
    // The movie has 24 frames per second.
    expect((job.fps ?? 0) / ((job.speed ?? 1) * 24)).toBeCloseTo(1, 0);
  }
});

test('a repeated source counts as often as it is read, and the end is 100 %', { tags: 'long' }, async ({ expect }) => {
  const own = await ready();
  const twice = [{ input: 'movie.mp4', parameters: { stream_loop: '1' } }];
  const [job] = await readAt(own, { inputs: twice, output: 'twice.mp4', parameters: { ...SLOW, preset: 'slow' } }, 1);
  if (job === undefined) throw new Error('It was not looked at.');
  expectToFit(job, 60);
  const copy = await own.run({ inputs: twice, output: 'twice.mkv', parameters: { c: 'copy' } });
  expect(copy).toMatchObject({ status: 'COMPLETED', progress: 100 });
});

const TRIMMED: readonly (readonly [string, object])[] = [
  ['ss and t on the output', { input: 'movie.mp4', parameters: { ...SLOW, ss: '1', t: '3' } }],
  ['to on the output', { input: 'movie.mp4', parameters: { ...SLOW, to: '00:00:03' } }],
  ['ss and to on an input', { inputs: [{ input: 'movie.mp4', parameters: { ss: '26', to: '29' } }], parameters: SLOW }],
];

test.for(TRIMMED)('percent counts from the requested part: %s', { tags: 'long' }, async ([title, part], { expect }) => {
  const own = await ready();
  const [job] = await readAt(own, { output: `${title}.mp4`, ...part }, 1);
  expect(job?.status).toBe('PROCESSING');
  if (job !== undefined) expectToFit(job, 3);
});

sandboxed('two passes share one progress', { tags: 'long' }, async ({ expect }) => {
  const own = await ready();
  // The first pass takes as long as the second, so the test sees both.
  const parameters = { ...SLOW, preset: 'medium', fastfirstpass: '0', 'b:v': '1M', pass: '2', t: '5' };
  const jobId = await own.accept({ input: 'movie.mp4', output: 'passes.mp4', parameters });
  const seen: number[] = [];
  const job = await own.wait(jobId, ({ status, progress }) => {
    if (status === 'PROCESSING' && progress !== undefined) seen.push(progress);
    return status === 'COMPLETED' || status === 'FAILED';
  });
  expect(job).toMatchObject({ status: 'COMPLETED', progress: 100 });
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  const between = seen.filter((progress) => progress > 0);
  expect(new Set(between).size).toBeGreaterThan(1);
  expect(Math.min(...between), 'the first pass is the first half').toBeLessThan(50);
  expect(Math.max(...between), 'and the second one the other').toBeGreaterThan(50);
  expect(await own.log(jobId)).toMatch(/^Pass 1 of 2$[\s\S]*^Pass 2 of 2$/m);
});
