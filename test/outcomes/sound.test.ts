import { join } from 'node:path';
import { beforeAll } from 'vitest';
import { commonServer } from '../support/common-server.ts';
import { decodeSound, makeMedia } from '../support/decoded.ts';
import { needs } from '../support/needs.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;

let media: Promise<unknown> | undefined;

/** A service with the inputs of all tests. */
async function prepare() {
  const server = await start();
  const { mediaRoot } = server.server;
  const make = (...args: readonly string[]) => makeMedia(mediaRoot, args);
  media ??= make('-f', 'lavfi', '-i', 'sine=f=440:r=44100:d=6', 'six.mp3');
  await media;
  const convert = async (request: { readonly output: string; readonly [field: string]: unknown }) => {
    const job = await server.own.run(request);
    const codes = (job.warnings ?? []).map(({ code }) => code);
    return { job, codes, file: join(mediaRoot, request.output) };
  };
  return { ...server, convert };
}

beforeAll(async () => void (await prepare().catch(() => undefined)));

test('keeps the length of parts that are cut out and evened out in loudness', async ({ expect }) => {
  const { convert } = await prepare();
  const keep = [
    { start: 0, end: 1.5 },
    { start: 3, end: 5.5 },
  ];
  const { job, file } = await convert({
    input: 'six.mp3',
    output: 'parts.m4a',
    cut: { keep },
    preset: { name: 'loudness' },
  });
  const { frames, rate } = await decodeSound(file);
  expect({ status: job.status, seconds: frames / rate }).toEqual({
    status: 'COMPLETED',
    seconds: expect.closeTo(4, 1),
  });
});

test('applies a filter that counts in samples to sounds that are joined', async ({ expect }) => {
  const { convert } = await prepare();
  const { file } = await convert({
    inputs: ['six.mp3', 'six.mp3'],
    join: 'encode',
    output: 'backwards.m4a',
    parameters: { af: 'areverse' },
  });
  const { frames, rate } = await decodeSound(file);
  expect(frames / rate).toBeCloseTo(12, 0);
});

test('keeps the length of sounds that a graph of the client joins and evens out', async ({ expect }) => {
  const { convert } = await prepare();
  const { file } = await convert({
    inputs: ['six.mp3', 'six.mp3'],
    output: 'graph.m4a',
    parameters: {
      filter_complex: '[0:a][1:a]concat=n=2:v=0:a=1,loudnorm=I=-16:LRA=11:TP=-1.5[a]',
      map: '[a]',
      pass: '2',
    },
  });
  const { frames, rate } = await decodeSound(file);
  expect(frames / rate).toBeCloseTo(12, 0);
});
