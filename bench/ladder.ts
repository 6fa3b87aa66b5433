/**
 * `npm run bench:ladder`: makes a ladder per title for eight videos, and compares it with the fixed ladder of Apple's HLS authoring
 * specification, with the same encoder and preset. Each rung is measured completely by SSIM, after scaling up to the source.
 *
 * Bytes at the same quality are compared as in BD-rate: along each ladder, the logarithm of the bit rate is a line from rung to rung over
 * the quality in dB (-10 log10(1 - SSIM)), and the difference is the mean over the range of quality that both ladders have.
 *
 * Options: `--preset medium`, `--seconds 20`, `--target 0.98`, `--only plain,motion`, and `--sources DIR`, where the sources are kept.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { openFfmpeg } from '../packages/ffmpeg/src/library/open-ffmpeg.ts';
import { bound, median } from './support/figures.ts';
import { LADDER_SIZE, LADDER_SOURCES, makeLadderSources } from './support/ladder-sources.ts';
import { benchFolder, printMachine } from './support/machine.ts';

/**
 * The rungs for H.264 in 16:9 of "HLS Authoring Specification for Apple devices" (developer.apple.com), section "Video average bit rate":
 * width, height and kb/s. Those above the source are left out, as the specification says. Checked against two copies of the table, of 2020 and 2022.
 */
const APPLE = [
  [416, 234, 145],
  [640, 360, 365],
  [768, 432, 730],
  [768, 432, 1100],
  [960, 540, 2000],
  [1280, 720, 3000],
  [1280, 720, 4500],
  [1920, 1080, 6000],
  [1920, 1080, 7800],
] as const;

const { values: args } = parseArgs({
  options: {
    preset: { type: 'string', default: 'medium' },
    seconds: { type: 'string', default: '20' },
    target: { type: 'string', default: '0.98' },
    only: { type: 'string' },
    sources: { type: 'string' },
  },
});
const folder = benchFolder('ladder');
printMachine(folder);
const mediaRoot = args.sources ?? join(folder, 'media');
const names = args.only?.split(',') ?? LADDER_SOURCES;
await makeLadderSources(mediaRoot, names, Number(args.seconds));
const ffmpeg = await openFfmpeg({ mediaRoot, searchPath: process.env['PATH'], sandbox: 'off' });

const SEGMENT = 4;
const ENCODER = {
  ...{ 'c:v': 'libx264', preset: args.preset, pix_fmt: 'yuv420p', an: '' },
  ...{ force_key_frames: `expr:gte(t,n_forced*${SEGMENT})`, sc_threshold: '0' },
};
const HLS = {
  ...{ hls_time: `${SEGMENT}`, hls_playlist_type: 'vod', hls_segment_type: 'fmp4', hls_flags: 'independent_segments' },
};

interface Rung {
  readonly height: number;
  readonly bitsPerSecond: number;
  readonly ssim: number;
}

const savings: number[] = [];
/** The videos whose two ladders have no quality in common, so that their saving is not known. */
const notComparable: string[] = [];
for (const name of names) {
  const fixed = await fixedLadder(name);
  const own = await ladderOf(name);
  const ratio = meanLogRatio(own, fixed);
  if (ratio === undefined) {
    notComparable.push(name);
    console.log(`${name}: the ladders have no quality in common`);
  } else {
    const saving = 1 - Math.exp(ratio);
    savings.push(saving);
    console.log(`${name}: ${(saving * 100).toFixed(1)} % fewer bytes at the same quality`);
  }
  for (const [kind, ladder] of Object.entries({ fixed, own }))
    console.log(`  ${kind.padEnd(5)} ${ladder.map(shown).join(', ')}`);
}
await ffmpeg.close();

const ENOUGH = 0.25;
console.log(
  `\nsaving of ${savings.length} videos: median ${(median(savings) * 100).toFixed(1)} %, least ${(Math.min(...savings) * 100).toFixed(1)} %`,
);
if (notComparable.length > 0)
  console.log(`not compared, because there is no common quality: ${notComparable.join(', ')}`);
bound('videos whose ladders have no common quality', notComparable.length, '<=', Math.floor(names.length / 8), 0);
const hits = savings.filter((saving) => saving >= ENOUGH).length;
bound(`videos of ${names.length} with at least 25 % fewer bytes`, hits, '>=', Math.ceil((names.length * 5) / 8), 0);

/** Encodes the fixed ladder, with two passes, since it has bit rates. */
async function fixedLadder(name: string): Promise<readonly Rung[]> {
  const rungs: Rung[] = [];
  for (const [width, height, kilobits] of APPLE) {
    if (height > LADDER_SIZE.height) continue;
    const out = join(folder, 'fixed', `${name}-${height}-${kilobits}`);
    await mkdir(out, { recursive: true });
    const argv = ['-v', 'error', '-y', '-i', join(mediaRoot, `${name}.mp4`), '-vf', `scale=${width}:${height}`];
    const rate = { 'b:v': `${kilobits}k`, maxrate: `${kilobits * 2}k`, bufsize: `${kilobits * 2}k` };
    const options = Object.entries({ ...ENCODER, ...rate }).flatMap(([key, value]) => [
      `-${key}`,
      ...(value ? [value] : []),
    ]);
    const hls = Object.entries(HLS).flatMap(([key, value]) => [`-${key}`, value]);
    await promisify(execFile)('ffmpeg', [...argv, ...options, '-pass', '1', '-f', 'null', '-'], { cwd: out });
    await promisify(execFile)('ffmpeg', [...argv, ...options, '-pass', '2', ...hls, '-f', 'hls', 'v.m3u8'], {
      cwd: out,
    });
    rungs.push(await measured(name, join(out, 'v.m3u8'), height));
  }
  return rungs.toReversed();
}

async function ladderOf(name: string): Promise<readonly Rung[]> {
  const plan = await ffmpeg.plan({
    ...{ input: `${name}.mp4`, output: `out/${name}/v.m3u8`, parameters: { ...ENCODER, ...HLS, y: '' } },
    ladder: { target: Number(args.target), metric: 'ssim' },
  });
  if (!plan.ok) throw new Error(JSON.stringify(plan.errors));
  const result = await ffmpeg.run(plan);
  if (!result.ok) throw new Error(JSON.stringify(result));
  const { rungs = [], tried = [] } = result.outputs[0]?.ladder ?? {};
  const found: Rung[] = [];
  for (const [index, { height, value, score }] of rungs.entries()) {
    const rung = await measured(name, join(mediaRoot, 'out', name, `v_${index}.m3u8`), height);
    console.log(`  ${name} ${height}p crf ${value}: expected ${score.toFixed(4)}, has ${rung.ssim.toFixed(4)}`);
    found.push(rung);
  }
  console.log(`  ${name} tried ${tried.length} values at ${new Set(tried.map(({ height }) => height)).size} sizes`);
  return found;
}

/** Measures all frames of a rung. */
async function measured(name: string, playlist: string, height: number): Promise<Rung> {
  const { width: sourceWidth, height: sourceHeight, fps } = LADDER_SIZE;
  const text = await readFile(playlist, 'utf8');
  let [bytes, seconds] = [0, 0];
  for (const [, time, file = ''] of text.matchAll(/#EXTINF:([\d.]+),\n(.+)/g)) {
    bytes += (await stat(join(dirname(playlist), file))).size;
    seconds += Number(time);
  }
  const paired = `settb=AVTB,setpts=N/(${fps}*TB)`;
  const graph = `[0:v]scale=${sourceWidth}:${sourceHeight}:flags=bicubic,${paired}[a];[1:v]${paired}[b];[a][b]ssim`;
  const inputs = ['-i', playlist, '-i', join(mediaRoot, `${name}.mp4`)];
  const { stderr } = await promisify(execFile)('ffmpeg', [...inputs, '-lavfi', graph, '-f', 'null', '-']);
  const ssim = Number(/SSIM .* All:([\d.]+)/.exec(stderr)?.[1]);
  return { height, bitsPerSecond: (bytes * 8) / seconds, ssim };
}

function shown({ height, bitsPerSecond, ssim }: Rung): string {
  return `${height}p ${Math.round(bitsPerSecond / 1000)}k ${ssim.toFixed(4)}`;
}

/**
 * The mean logarithm of the bits of a ladder, as a share of those of another one at the same quality. undefined: they have no quality in
 * common.
 */
function meanLogRatio(one: readonly Rung[], other: readonly Rung[]): number | undefined {
  const [a, b] = [lineOf(one), lineOf(other)];
  const [low, high] = [Math.max(a.min, b.min), Math.min(a.max, b.max)];
  if (!(high > low)) return undefined;
  const steps = 200;
  const at = Array.from({ length: steps + 1 }, (_, step) => low + ((high - low) * step) / steps);
  return at.reduce((sum, quality) => sum + a.logBits(quality) - b.logBits(quality), 0) / at.length;
}

/** The logarithm of the bits of a ladder over its quality. Rungs that cost more than a better one do not count. */
function lineOf(ladder: readonly Rung[]) {
  const points = ladder
    .map(({ ssim, bitsPerSecond }) => ({ quality: -10 * Math.log10(1 - ssim), logBits: Math.log(bitsPerSecond) }))
    .filter((point, _, all) =>
      all.every((other) => other === point || other.quality < point.quality || other.logBits > point.logBits),
    )
    .toSorted((x, y) => x.quality - y.quality);
  const logBits = (quality: number): number => {
    const right = Math.min(
      points.length - 1,
      Math.max(
        1,
        points.findIndex((point) => point.quality >= quality),
      ),
    );
    const [from, to] = [points[right - 1], points[right]];
    if (from === undefined || to === undefined) return Number.NaN;
    const share = (quality - from.quality) / (to.quality - from.quality);
    return from.logBits + share * (to.logBits - from.logBits);
  };
  return { min: points[0]?.quality ?? Number.NaN, max: points.at(-1)?.quality ?? Number.NaN, logBits };
}
