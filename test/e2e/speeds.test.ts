// @module-tag long
import { expect } from 'vitest';
import type { DryRunView } from '../../packages/contract/src/wire/dry-run.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer();
const test = needs('sandbox');

test('three jobs show how long the next one takes, and how large it gets', { timeout: 240_000 }, async () => {
  const { server, admin } = await start();
  await putSample(server.mediaRoot, '480p', 'film.mp4');
  // With this preset, a run takes more than a second on any machine, and not long beside other tests.
  const parameters = { 'c:v': 'libx264', preset: 'slower', t: '8', an: '' };
  const estimate = async () => {
    const body = { input: 'film.mp4', output: 'again.mp4', parameters };
    return (await admin.request<DryRunView>('/api/conversion?dryRun=true', { method: 'POST', body })).body.estimate;
  };
  const ranges = { time: { seconds: { likely: expect.any(Number) } }, outputs: [{ sizeBytes: expect.any(Object) }] };
  const before = await estimate();
  expect(before).toMatchObject({ ...ranges, time: { basis: 'defaults' } });
  expect(before).not.toHaveProperty('time.jobsBefore');
  const bytes: number[] = [];
  for (const output of ['a.mp4', 'b.mp4', 'c.mp4']) {
    const { outputs = [] } = await admin.run({ input: 'film.mp4', output, parameters });
    bytes.push(outputs[0]?.sizeBytes ?? 0);
  }
  await expect.poll(async () => (await estimate())?.time.basis, { timeout: 30_000 }).toBe('jobs');
  const after = await estimate();
  expect(after?.outputs[0]?.basis).toEqual(['jobs']);
  expect((after?.outputs[0]?.sizeBytes?.likely ?? 0) / (bytes[0] ?? 1)).toBeCloseTo(1, 1);
});
