// @module-tag long
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { commonServer } from '../support/common-server.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { bitRates } from '../support/packets.ts';
import { sampled } from '../support/sampled.ts';

const start = commonServer();
let media: Promise<string> | undefined;
const test = needs('sandbox').concurrent;

const SECONDS = 6;

async function convert(output: string, parameters: Record<string, string | readonly string[]>) {
  const { server, own } = await start();
  media ??= putSmallMovie(server.mediaRoot, SECONDS, 'clip.mp4');
  await media;
  const job = await own.run({ input: 'clip.mp4', output, parameters: { pass: '2', ...parameters } });
  expect(job.error).toBeUndefined();
  return { job, at: (path: string) => join(server.mediaRoot, path), log: () => own.log(job.jobId) };
}

interface Row {
  readonly encoder: string;
  readonly output: string;
  readonly parameters: Record<string, string>;
  /** The least share of the requested bit rate. Default: 0.8. */
  readonly least?: number;
  /** Text that the second pass writes to the stream. */
  readonly mark?: string;
}

/** All but the first two encoders fail or start over if the second pass finds no log of the first. */
const ENCODERS: readonly Row[] = [
  { encoder: 'libx264', output: 'x264.mp4', parameters: { preset: 'ultrafast' }, mark: 'rc=2pass' },
  { encoder: 'libx265', output: 'x265.mp4', parameters: { preset: 'ultrafast' }, mark: 'stats-read=2' },
  { encoder: 'libvpx-vp9', output: 'vp9.webm', parameters: { 'cpu-used': '5', deadline: 'good' } },
  // libaom 3.12, in Debian 13, stays far below the rate in a short clip.
  { encoder: 'libaom-av1', output: 'aom.mkv', parameters: { 'cpu-used': '8', t: '3' }, least: 0.35 },
  { encoder: 'mpeg4', output: 'mpeg4.mp4', parameters: {} },
  { encoder: 'libxvid', output: 'xvid.avi', parameters: {} },
  { encoder: 'libtheora', output: 'theora.ogv', parameters: {} },
];

test.for(sampled(ENCODERS, 3))(
  '$encoder: two passes over a part without frames say so',
  async ({ encoder, output }, { expect }) => {
    const { server, own } = await start();
    media ??= putSmallMovie(server.mediaRoot, SECONDS, 'clip.mp4');
    await media;
    const parameters = { pass: '2', 'c:v': encoder, 'b:v': '100k', ss: '60', an: '' };
    const job = await own.run({ input: 'clip.mp4', output: `none/${output}`, parameters });
    expect(job.status).toBe('FAILED');
    // The first pass of most encoders names the part; some get as far as the report about the input. Without a frame, libx265
    // sometimes crashes on a busy machine.
    const named = /contains no frames|"ss" starts at 60 s, but "clip\.mp4" ends at 6 s/;
    expect(job.error?.message).toMatch(
      encoder === 'libx265' ? new RegExp(`${named.source}|ffmpeg crashed on this input`) : named,
    );
  },
);

const BIT_RATE = 120_000;

test.for(sampled(ENCODERS, 3))(
  '$encoder meets the bit rate in two passes',
  async ({ encoder, output, parameters, mark, least = 0.8 }, { expect }) => {
    const { at } = await convert(`${encoder}/${output}`, {
      'c:v': encoder,
      'b:v': `${BIT_RATE}`,
      an: '',
      ...parameters,
    });
    const [rate = 0] = await bitRates(at(`${encoder}/${output}`));
    expect(rate).toBeGreaterThan(BIT_RATE * least);
    expect(rate).toBeLessThan(BIT_RATE * 1.2);
    if (mark !== undefined) expect((await readFile(at(`${encoder}/${output}`))).includes(mark)).toBe(true);
  },
);

test.for([
  ['c:v', 'x265-params'],
  ['c:0', 'x265-params:0'],
] as const)('two passes keep the caller’s parameters of libx265 in "%s"', async ([encoder, parameters], { expect }) => {
  const output = `own/${encoder.replace(':', '')}.mkv`;
  const { at } = await convert(output, {
    [encoder]: 'libx265',
    'b:v': '200k',
    [parameters]: 'keyint=17',
    ...{ preset: 'ultrafast', t: '1', an: '' },
  });
  const file = await readFile(at(output));
  expect([file.includes('keyint=17'), file.includes('stats-read=2')]).toEqual([true, true]);
});

test.for(['libx264', 'libx265'])(
  'two renditions of %s after an audio stream use separate two-pass logs',
  async (encoder, { expect }) => {
    const { at } = await convert(`renditions/${encoder}.mkv`, {
      ...{ map: ['0:a', '0:v', '0:v'], 'c:v': encoder, preset: 'ultrafast' },
      ...{ 'b:v:0': '160k', 'b:v:1': '80k', 's:v:1': '160x90', 'c:a': 'copy' },
    });
    const [, high = 0, low = 0] = await bitRates(at(`renditions/${encoder}.mkv`));
    expect(Math.abs(high / 160_000 - 1)).toBeLessThan(0.2);
    expect(Math.abs(low / 80_000 - 1)).toBeLessThan(0.2);
    const name = encoder === 'libx264' ? 'rc=2pass' : 'stats-read=2';
    expect((await readFile(at(`renditions/${encoder}.mkv`), 'latin1')).split(name)).toHaveLength(3);
  },
);

test('an encoder without a two-pass mode runs once', async ({ expect }) => {
  const { log } = await convert('once/a.mkv', { 'c:v': 'libsvtav1', preset: '12', 'b:v': '200k', an: '', t: '1' });
  expect(await log()).not.toContain('Pass 1 of 2');
});
