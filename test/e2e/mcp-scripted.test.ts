// @module-tag long
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { loudnessOf } from '../support/loudness.ts';
import { putClip, putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { countFrames } from '../support/pixels.ts';
import { decodesWithoutErrors, probe } from '../support/probe.ts';
import { scriptedClient } from '../support/scripted-client.ts';
import { sharedServer } from '../support/shared-server.ts';

/** The length of the film, which is enough for two segments. */
const SECONDS = 5;

const start = sharedServer();

async function scripted() {
  const { server, admin } = await start();
  const input = await putClip(server.mediaRoot, '480p', SECONDS);
  const client = await scriptedClient(server.url, admin.token);
  return { client, server, admin, input, made: (path: string) => join(server.mediaRoot, path) };
}

needs('ffmpeg')('an HLS ladder, by a client that knows the tools alone and repairs what is wrong', async () => {
  const { client, admin, input, made } = await scripted();
  const { answer, repaired } = await client.complete({
    input,
    output: 'ladder/%v/index.m3u8',
    parameters: {
      map: ['0:v', '0:a', '0:v', '0:a'],
      ...{ 'c:v': 'libx264', preset: 'ultrafast', crf: '23', 's:v:0': '426x240', 's:v:1': '256x144' },
      ...{ 'c:a': 'aac', ac: '2', hls_tiem: '4', start_number: '-1', hls_playlist_type: 'vod' },
      ...{ var_stream_map: 'v:0,a:0,name:high v:1,a:1,name:low', master_pl_name: 'master.m3u8' },
    },
  });
  expect(repaired.toSorted()).toEqual(['OUT_OF_RANGE', 'UNKNOWN_OPTION']);
  expect(await admin.job(String(answer['jobId']))).toMatchObject({
    status: 'COMPLETED',
    parameters: { start_number: '0', hls_time: '4' },
  });

  const master = await readFile(made('ladder/master.m3u8'), 'utf8');
  const variants = [...master.matchAll(/RESOLUTION=(\S+?)[,\n][^\n]*\n?(\S+)/g)].map(([, size, uri]) => [size, uri]);
  expect(variants).toEqual([
    ['426x240', 'high/index.m3u8'],
    ['256x144', 'low/index.m3u8'],
  ]);
  for (const [, uri = ''] of variants) {
    const variant = made(join('ladder', uri));
    const { streams, durationSeconds } = await probe(variant);
    expect(streams.map(({ codec_name }) => codec_name).toSorted()).toEqual(['aac', 'h264']);
    expect(durationSeconds).toBeCloseTo(SECONDS, 0);
    expect(await decodesWithoutErrors(variant)).toBe(true);
  }
});

needs('ffmpeg')('a GIF, whose filter it spells wrong', async () => {
  const { client, admin, input, made } = await scripted();
  const { answer, repaired, links } = await client.complete({
    input,
    output: 'small.gif',
    parameters: { ss: '2', t: '2', vf: 'fpss=10,scale=160:-2', loop: '65536' },
  });
  expect(repaired.toSorted()).toEqual(['OUT_OF_RANGE', 'UNKNOWN_FILTER']);
  expect(await admin.job(String(answer['jobId']))).toMatchObject({
    status: 'COMPLETED',
    parameters: { vf: 'fps=10,scale=160:-2', loop: '65535' },
  });

  const { formats, streams } = await probe(made('small.gif'));
  expect([formats, streams]).toEqual([['gif'], [expect.objectContaining({ codec_name: 'gif', width: 160 })]]);
  expect(await countFrames(made('small.gif'))).toBe(20);
  expect(await decodesWithoutErrors(made('small.gif'))).toBe(true);
  const [link = ''] = links;
  const fetched = await fetch(link);
  expect(Buffer.from(await fetched.arrayBuffer()).equals(await readFile(made('small.gif')))).toBe(true);
});

needs('ffmpeg')('a podcast of even loudness, one value of whose filter is out of range', async () => {
  const { client, server, admin, made } = await scripted();
  // Convert the whole sample: a shorter part has too little sound for the normalisation to reach its target.
  const input = await putSample(server.mediaRoot, 'flac');
  const { answer, repaired } = await client.complete({
    input,
    output: 'podcast/one.mp3',
    parameters: {
      ...{ vn: '', ac: '2', ar: '48000', 'b:a': '96k', metdata: 'title=One' },
      af: 'loudnorm=I=-23:TP=1:LRA=7',
    },
  });
  expect(repaired.toSorted()).toEqual(['OUT_OF_RANGE', 'UNKNOWN_OPTION']);
  expect(await admin.job(String(answer['jobId']))).toMatchObject({
    status: 'COMPLETED',
    parameters: { af: 'loudnorm=I=-23:TP=0:LRA=7' },
  });

  const { streams, tags, durationSeconds } = await probe(made('podcast/one.mp3'));
  expect(streams).toEqual([expect.objectContaining({ codec_name: 'mp3', channels: 2, sample_rate: '48000' })]);
  expect(tags).toMatchObject({ title: 'One' });
  expect(durationSeconds).toBeCloseTo(12, 0);
  expect(await decodesWithoutErrors(made('podcast/one.mp3'))).toBe(true);
  const before = await loudnessOf(made(input));
  expect(Math.abs(before - -23)).toBeGreaterThan(2);
  expect(Math.abs((await loudnessOf(made('podcast/one.mp3'))) - -23)).toBeLessThan(1);
});
