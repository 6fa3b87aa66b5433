import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import type { Parameters } from '../../packages/contract/src/domain/conversion.ts';
import type { LadderTarget } from '../../packages/contract/src/domain/ladder.ts';
import type { ConversionRun } from '../../packages/ffmpeg/src/run/conversion-run.ts';
import { runConversion } from '../../packages/ffmpeg/src/run/run.ts';
import type { Sandbox } from '../../packages/ffmpeg/src/sandbox/sandbox.ts';
import { conversion, MOVIE, scratch } from '../fixtures/conversion.ts';
import { NO_SANDBOX, SANDBOXES } from '../fixtures/sandboxes.ts';
import { needs } from '../support/needs.ts';
import { wholePlan } from '../support/planning.ts';
import { tools } from '../support/tools.ts';

/** Six seconds of the film, small and fast to encode. */
const SMALL: Parameters = {
  ...{ t: '6', vf: 'scale=512:-2', 'c:v': 'libx264', preset: 'ultrafast' },
  ...{ 'c:a': 'aac', 'b:a': '64k', ac: '1', hls_time: '2', hls_segment_type: 'fmp4' },
};

interface RunOptions extends Partial<Pick<ConversionRun, 'signal' | 'onProgress'>> {
  readonly sandbox?: Sandbox;
  readonly movie?: string;
}

async function run(
  ladder: LadderTarget,
  parameters: Parameters,
  { sandbox = NO_SANDBOX, movie = MOVIE, ...more }: RunOptions = {},
) {
  const dir = await scratch();
  const plan = wholePlan({ input: 'a.mp4', output: 'hls/film.m3u8', parameters, ladder });
  const mounts = [{ logical: 'in/0.mp4', hostPath: movie }];
  return { dir, outcome: await runConversion(conversion(sandbox, dir, plan, { mounts, ...more })) };
}

const resultOf = ({ outcome }: Awaited<ReturnType<typeof run>>) => {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.failure), { cause: outcome.log });
  const [{ ladder } = {}] = outcome.outputs;
  if (ladder === undefined) throw new Error('The output has no ladder.');
  return { ladder, warnings: outcome.warnings, log: outcome.log };
};

for (const { kind, sandbox, tags, test } of SANDBOXES)
  describe(`with the sandbox ${kind}`, { tags }, () => {
    test('a film gets rungs of its own, and a master playlist with their true bit rates', async () => {
      const done = await run({ target: 0.96, maxRungs: 4 }, { ...SMALL, t: '4' }, { sandbox });
      const { ladder, warnings, log } = resultOf(done);
      expect(warnings).toEqual([]);
      expect(ladder).toMatchObject({ metric: 'ssim', target: 0.96, option: 'crf' });
      const { rungs, tried } = ladder;
      expect(rungs.length).toBeGreaterThanOrEqual(2);
      expect(rungs.length).toBeLessThanOrEqual(4);
      expect(rungs[0]?.score).toBeGreaterThan(0.95);
      expect(rungs[0]?.score).toBeLessThan(0.97);
      expect(rungs.every(({ width, height }) => width <= 512 && height <= 288)).toBe(true);
      expect(new Set(tried.map(({ height }) => height))).toEqual(new Set([288, 192, 144]));
      expect(tried.length).toBeGreaterThanOrEqual(12);
      expect(log).toMatch(/^Ladder, samples: 512x288 with crf \d+(\.\d)? has SSIM 0\.\d{4} at \d+ kb\/s$/m);
      expect(log).toMatch(/^Ladder, rung 1 of \d: \d+x\d+ with crf /m);

      const out = join(done.dir, 'out');
      const master = await readFile(join(out, 'film.m3u8'), 'utf8');
      const variants = [...master.matchAll(/^#EXT-X-STREAM-INF:BANDWIDTH=(\d+),AVERAGE-BANDWIDTH=(\d+),(.*)$/gm)];
      // One more variant has the audio alone.
      expect(variants.length).toBe(rungs.length + 1);
      for (const [index, { width, height, bandwidth, averageBandwidth }] of rungs.entries()) {
        const [, peak, average, others] = variants[index] ?? [];
        expect([Number(peak), Number(average)]).toEqual([bandwidth, averageBandwidth]);
        expect(others).toContain(`RESOLUTION=${width}x${height}`);
        expect(others).toMatch(/CODECS="avc1\.[0-9a-f]{6},mp4a\.40\.2"/);
        const bytesPerSecond = await averageOf(out, index);
        const audio = await averageOf(out, 'audio');
        expect(averageBandwidth).toBe(Math.ceil(8 * (bytesPerSecond + audio)));
        // The peak of the audio is hardly above its average.
        const largest = await peakOf(out, index);
        expect(bandwidth).toBeGreaterThanOrEqual(Math.floor(8 * (largest + audio)));
        expect(bandwidth).toBeLessThanOrEqual(8 * (largest + 1.25 * audio));
      }
      // Key frames are at the same times in all rungs, so that players can switch.
      const times = await Promise.all(rungs.map((_, index) => segmentTimes(out, index)));
      for (const one of times) expect(one).toEqual(times[0]);
    });
  });

const playlistOf = (out: string, variant: number | string): Promise<string> =>
  readFile(join(out, `film_${variant}.m3u8`), 'utf8');

const segmentTimes = async (out: string, variant: number): Promise<readonly number[]> =>
  [...(await playlistOf(out, variant)).matchAll(/#EXTINF:([\d.]+),/g)].map(([, seconds]) => Number(seconds));

/** The bytes per second of all segments in a playlist. */
async function averageOf(out: string, variant: number | string): Promise<number> {
  let [bytes, seconds] = [0, 0];
  for (const [, time, name = ''] of (await playlistOf(out, variant)).matchAll(/#EXTINF:([\d.]+),\n(.+)/g)) {
    bytes += (await stat(join(out, name))).size;
    seconds += Number(time);
  }
  return bytes / seconds;
}

/** The highest bytes per second of a segment. The last may be short, and then counts only with others. */
async function peakOf(out: string, variant: number): Promise<number> {
  const text = await playlistOf(out, variant);
  const target = Number(/#EXT-X-TARGETDURATION:(\d+)/.exec(text)?.[1]);
  const rates: number[] = [];
  for (const [, time, name = ''] of text.matchAll(/#EXTINF:([\d.]+),\n(.+)/g))
    if (Number(time) >= target / 2) rates.push((await stat(join(out, name))).size / Number(time));
  return Math.max(...rates);
}

describe('a ladder', () => {
  const test = needs('ffmpeg');

  test('a video without audio has rungs alone', { tags: 'long' }, async () => {
    const movie = join(await scratch(), 'silent.mp4');
    await promisify(execFile)(tools().ffmpegPath, [
      '-v',
      'error',
      '-i',
      MOVIE,
      '-t',
      '5',
      '-an',
      '-c:v',
      'copy',
      movie,
    ]);
    const parameters: Parameters = { ...SMALL, t: '3', map: ['0:v', '0:a?'] };
    const done = await run({ target: 0.95, maxRungs: 2 }, parameters, { movie });
    const { rungs } = resultOf(done).ladder;
    expect(rungs.length).toBe(2);
    const out = join(done.dir, 'out');
    for (const [index, { bandwidth }] of rungs.entries())
      expect(bandwidth).toBe(Math.ceil(8 * (await peakOf(out, index))));
    const names = await readdir(out);
    expect(names.filter((name) => name.endsWith('.m3u8')).toSorted()).toEqual([
      ...['film.m3u8', 'film_0.m3u8', 'film_1.m3u8'],
    ]);
  });

  test('the highest bit rate counts more than the target', { tags: 'long' }, async () => {
    const { ladder } = resultOf(await run({ target: 0.98, maxBitrate: 120_000 }, { ...SMALL, an: '' }));
    const [best] = ladder.rungs;
    expect(best?.score).toBeLessThan(0.98);
    expect(ladder.rungs.length).toBeGreaterThan(1);
    // Samples only estimate the full video.
    expect(best?.averageBandwidth).toBeLessThan(170_000);
  });

  test('filters that change the times change the expected bit rates', { tags: 'long' }, async () => {
    const vf = 'scale=256:-2,setpts=0.5*PTS';
    const { ladder, log } = resultOf(await run({ target: 0.9, maxRungs: 2 }, { ...SMALL, vf, t: '6', an: '' }));
    const [, expected] = /^Ladder, rung 1 of 2: .* at (\d+) kb\/s/m.exec(log) ?? [];
    const ratio = (ladder.rungs[0]?.averageBandwidth ?? 0) / (1000 * Number(expected));
    // The container has some bytes of its own.
    expect(ratio).toBeGreaterThan(0.7);
    expect(ratio).toBeLessThan(1.5);
  });

  test('a cancel during the search ends it', { tags: 'long' }, async () => {
    const cancel = new AbortController();
    let cancelledAt = 0;
    const { outcome } = await run(
      { target: 0.97 },
      { ...SMALL, t: '30', preset: 'slow' },
      {
        signal: cancel.signal,
        onProgress: () => {
          cancelledAt ||= performance.now();
          cancel.abort();
        },
      },
    );
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'CANCELLED' } });
    // The search alone would take longer.
    expect(performance.now() - cancelledAt).toBeLessThan(10_000);
  });

  test('progress rises through the search and the encode', { tags: 'long' }, async () => {
    const percents: number[] = [];
    const options: RunOptions = { onProgress: ({ percent = 0 }) => percents.push(percent) };
    resultOf(await run({ target: 0.95, maxRungs: 2 }, { ...SMALL, t: '3' }, options));
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    expect(percents.filter((one) => one > 0 && one < 50).length).toBeGreaterThan(1);
    expect(percents.at(-1)).toBe(100);
  });

  test('an input without a video fails as it does without a ladder', { tags: 'long' }, async () => {
    const { outcome } = await run({ target: 0.96 }, { ...SMALL, vf: 'trim=start=50' });
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'FFMPEG_FAILED', message: expect.any(String) } });
  });
});
