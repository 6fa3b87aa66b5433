/**
 * `npm run bench:quality`: encodes twenty videos with a quality target, and compares what they reach with the target, the processor time
 * of the search with that of the final encode, and their bytes with those of one fixed value for all. Options: `--encoder libx265`,
 * `--preset fast`, `--target 0.98`, `--metric xpsnr` (from ffmpeg 7.1 on), `--only plain,cuts`, and `--sources DIR`, where the sources are kept
 * for the next run.
 */
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  METRIC_NAMES,
  METRIC_SCALES,
  QUALITY_METRICS,
  type QualityTarget,
} from '../packages/contract/src/domain/quality.ts';
import { openFfmpeg } from '../packages/ffmpeg/src/library/open-ffmpeg.ts';
import { LOSS_SCALES } from '../packages/ffmpeg/src/sampling/choosers/scales.ts';
import { bound, median, percentile } from './support/figures.ts';
import { benchFolder, printMachine } from './support/machine.ts';
import { makeQualitySources, QUALITY_SOURCES } from './support/quality-sources.ts';

const { values: args } = parseArgs({
  options: {
    encoder: { type: 'string', default: 'libx264' },
    preset: { type: 'string', default: 'medium' },
    target: { type: 'string' },
    metric: { type: 'string', default: 'ssim' },
    only: { type: 'string' },
    sources: { type: 'string' },
  },
});
const metric = QUALITY_METRICS.find((name) => name === args.metric);
if (metric === undefined)
  throw new RangeError(`There is no metric "${args.metric}". There are ${QUALITY_METRICS.join(', ')}.`);
const target = Number(args.target ?? METRIC_SCALES[metric].usual);
const { tolerance } = LOSS_SCALES[metric];
const folder = benchFolder('quality');
printMachine(folder);
const mediaRoot = args.sources ?? join(folder, 'media');
await makeQualitySources(mediaRoot);
const names = args.only?.split(',') ?? QUALITY_SOURCES;

/** The processor times of ffmpeg. A wrapper writes them, since a run does not tell what each process used. */
const times = join(folder, 'times');
const path = join(folder, 'ffmpeg');
await writeFile(
  path,
  `#!/bin/bash\nexec 3>&2\nTIMEFORMAT="%U %S $(printf '%s ' "\${@: -1}")"\n{ time /usr/bin/env ffmpeg "$@" 2>&3; } 2>>'${times}'\n`,
);
await chmod(path, 0o755);
const ffmpeg = await openFfmpeg({ mediaRoot, path, searchPath: process.env['PATH'], sandbox: 'off' });

interface Encoded {
  readonly value: number;
  readonly reached: number;
  readonly bytes: number;
  /** The processor seconds of encoding samples and the full video. */
  readonly seconds: number;
  /** The same, divided by the time of the encode. */
  readonly cost: number;
  /** The same, with the comparisons of the samples. */
  readonly wholeCost: number;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0);
}

const found = new Map<string, Encoded>();
for (const name of names) {
  await writeFile(times, '');
  const { quality, sizeBytes } = await encode(name, { quality: { target, metric } });
  if (quality?.reached === undefined) throw new Error(`The quality of ${name} was not measured.`);
  const rows = (await readFile(times, 'utf8')).trim().split('\n');
  const seconds = (isMeant: (file: string) => boolean): readonly number[] =>
    rows
      .map((row) => row.split(' '))
      .flatMap(([user, system, file = '']) => (isMeant(file) ? [Number(user) + Number(system)] : []));
  const sampled = sumOf(seconds((file) => /pass\/sample-\d\.nut$/.test(file)));
  const [whole = 0] = seconds((file) => /out\/.*\.mkv$/.test(file));
  const spent = sampled + whole;
  // The last comparison is that of the result.
  const compared = sumOf(seconds((file) => file === '-').slice(0, -1));
  const one: Encoded = {
    ...{ value: quality.value, reached: quality.reached, bytes: sizeBytes },
    ...{ seconds: spent, cost: spent / whole, wholeCost: (spent + compared) / whole },
  };
  found.set(name, one);
  const tried = quality.tried
    .map(({ value, score, isWhole }) => `${value} (${score.toFixed(4)}${isWhole === true ? ', whole' : ''})`)
    .join(', ');
  console.log(
    `${name.padEnd(14)} ${quality.option} ${one.value}: ${METRIC_NAMES[metric]} ${one.reached.toFixed(4)} (${signed(one.reached - target)}), ${one.cost.toFixed(2)} encodes of ${whole.toFixed(1)} s (${one.wholeCost.toFixed(2)} with comparisons), ${Math.round(one.bytes / 1000)} kB; tried ${tried}`,
  );
}

/** The hardest video needs this value, so that it brings every one to the target. Some videos alone are not compared with it. */
const fixed = args.only === undefined ? Math.min(...[...found.values()].map(({ value }) => value)) : undefined;
let fixedBytes = 0;
if (fixed !== undefined) for (const name of names) fixedBytes += (await encode(name, { crf: fixed })).sizeBytes;
await ffmpeg.close();

const all = [...found.values()];
const bytes = all.reduce((sum, one) => sum + one.bytes, 0);
const misses = all.map(({ reached }) => Math.abs(reached - target));
const costs = all.map(({ cost }) => cost);
const hits = misses.filter((miss) => miss <= 2 * tolerance + 1e-9).length;
const spent = all.reduce((sum, one) => sum + one.seconds, 0);
const once = all.reduce((sum, one) => sum + one.seconds / one.cost, 0);
console.log(
  `\nmiss: median ${median(misses).toFixed(4)}, 90 % ${percentile(misses, 0.9).toFixed(4)}, most ${Math.max(...misses).toFixed(4)}`,
);
console.log(
  `cost: median ${median(costs).toFixed(2)}, most ${Math.max(...costs).toFixed(2)} encodes; with comparisons ${median(all.map(({ wholeCost }) => wholeCost)).toFixed(2)}`,
);
if (fixed !== undefined)
  console.log(`bytes: ${Math.round(bytes / 1000)} kB, with ${fixed} for all ${Math.round(fixedBytes / 1000)} kB`);
bound(`videos within ${2 * tolerance} of the target`, hits, '>=', Math.ceil(0.9 * names.length), 0);
bound('encodes for the search and the result, median', costs, '<=', 1.3);
bound('encodes for the search and the result, all videos together', spent / once, '<=', 1.3);
if (fixed !== undefined) bound('share of the bytes of one fixed value', bytes / fixedBytes, '<=', 0.85);

async function encode(name: string, how: { readonly quality: QualityTarget } | { readonly crf: number }) {
  const parameters = {
    'c:v': args.encoder,
    ...(args.encoder !== 'libvpx-vp9' && { preset: args.preset }),
    ...(args.encoder === 'libvpx-vp9' && { 'cpu-used': '4', 'row-mt': '1' }),
    an: '',
    y: '',
    ...('crf' in how && { crf: `${how.crf}` }),
    ...('crf' in how && args.encoder === 'libvpx-vp9' && { 'b:v': '0' }),
  };
  const plan = await ffmpeg.plan({
    ...{ input: `${name}.mp4`, output: `out-${name}.mkv`, parameters },
    ...('quality' in how && { quality: how.quality }),
  });
  if (!plan.ok) throw new Error(JSON.stringify(plan.errors));
  const result = await ffmpeg.run(plan);
  if (!result.ok) throw new Error(JSON.stringify(result));
  const [output] = result.outputs;
  if (output === undefined) throw new Error(`${name} has no output.`);
  return output;
}

function signed(difference: number): string {
  return `${difference < 0 ? '' : '+'}${difference.toFixed(4)}`;
}
