import { expect } from 'vitest';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import { commonServer } from '../support/common-server.ts';
import { conversionMedia } from '../support/conversion-media.ts';
import { needs } from '../support/needs.ts';
import { decodesWithoutErrors, probe } from '../support/probe.ts';
import { sampled } from '../support/sampled.ts';
import { CONVERSION_CASES } from './conversion-cases.ts';

const start = commonServer();
let media: Promise<void> | undefined;

async function ready() {
  const shared = await start();
  media ??= shared.server.media.fill(conversionMedia);
  await media;
  return shared;
}

/** A copied clip ends at the end of a packet. */
const SLACK_SECONDS = 0.2;
/** Two frames, or an audio packet, more or less. */
const SAME_SECONDS = 0.1;

needs('ffmpeg').concurrent.for(sampled(CONVERSION_CASES, 8))('$title', async ({ request, wanted }, { expect }) => {
  const { server, own } = await ready();
  const job = await own.run(request);
  expect(job.error).toBeUndefined();
  expect(job).toMatchObject({ status: 'COMPLETED', progress: 100, attempt: 1, ...request });
  const { output: path = '' } = request;

  const file = await server.media.local(path);
  const found = await probe(file);
  expect(found.formats).toContain(wanted.format);
  expect(found.streams).toMatchObject(wanted.streams);
  expect(found.tags).toMatchObject(wanted.tags ?? {});
  if (wanted.seconds !== undefined)
    expect(Math.abs((found.durationSeconds ?? 0) - wanted.seconds)).toBeLessThan(SLACK_SECONDS);
  if (wanted.format !== 'webvtt') expect(await decodesWithoutErrors(file)).toBe(true);
  expectSameAs(found, job, path);
});

/** Checks that the job describes its output as ffprobe does. */
function expectSameAs(found: Awaited<ReturnType<typeof probe>>, job: JobView, path: string): void {
  const [output] = job.outputs ?? [];
  expect(job.outputs).toHaveLength(1);
  expect(output).toMatchObject({ path, sizeBytes: found.sizeBytes });
  const seconds = output?.durationSeconds;
  const probed = found.formats.some((name) => /image2|_pipe$/.test(name)) ? undefined : found.durationSeconds;
  if (probed === undefined || seconds === undefined) expect(seconds).toBe(probed);
  else expect(Math.abs(seconds - probed)).toBeLessThan(SAME_SECONDS);
  const streams = found.streams.map((stream, index) => {
    const { codec_type: type, codec_name: codec, width, height } = stream;
    if (type === 'audio') return { index, type, codec, sampleRate: Number(stream.sample_rate) };
    return type === 'video' ? { index, type, codec, width, height } : { index, type, codec };
  });
  expect(output?.streams).toMatchObject(streams);
}
