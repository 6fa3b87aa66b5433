import { join } from 'node:path';
import {
  allSettings,
  type Comparison,
  MAX_LISTED,
  type Measurement,
  type Measurements,
} from '@telecine/contract/domain/analysis.ts';
import { definedMembers } from '@telecine/contract/domain/defined.ts';
import type { PlannedAnalysis } from '@telecine/contract/domain/plan.ts';
import { rounded } from '@telecine/contract/domain/quantity.ts';
import { runSteps } from '@telecine/contract/domain/steps.ts';
import { type FoundValue, readPrinted } from '../log/printed-frames.ts';
import { AUDIO_FRAMES, PEAK_GAIN_DB, printedFile, VIDEO_FRAMES, VMAF_LOG } from '../plan/analysis/measuring-filters.ts';
import { readRegularFile } from '../process/regular-file.ts';
import { SILENCE } from '../run/loudness-values.ts';
import { type MeasuredPart, measuredPart } from './cut-off-file.ts';
import { fileErrors } from './file-errors.ts';
import type { FrameList } from './frame-list.ts';
import type { PacketCounter } from './packet-counter.ts';
import {
  audioExtent,
  frameTimes,
  intervalsOf,
  lastValue,
  missingFrames,
  printedTimes,
  psnrOf,
  qualityOf,
  videoExtent,
  xpsnrOf,
} from './summaries.ts';

/** The files and lists from which the measurements of an analysis are read. */
interface Found {
  /** The scratch folder, where the filters wrote their values. Absolute. */
  readonly dir: string;
  readonly analysis: PlannedAnalysis;
  readonly packets?: PacketCounter;
  readonly frames?: FrameList;
  /** Stops the reading, which then throws the reason of the abort. */
  readonly signal?: AbortSignal;
}

type MaybeMeasured = { readonly [K in keyof Measurements]: Measurements[K] | undefined };

/** Reads one measurement. If the measured stream has no frames, the value is undefined, null or zero. */
type Reader = (found: Found) => Promise<MaybeMeasured>;

/** Reads the measurements of an analysis. A measurement without frames is absent. */
export async function readMeasurements(found: Found): Promise<Measurements> {
  let all: MaybeMeasured = {};
  for (const measurement of found.analysis.measure) all = { ...all, ...(await READERS[measurement](found)) };
  return definedMembers<Measurements>(all);
}

/** The end of the last decoded frame, in seconds from the start of the input. undefined: nothing was decoded. */
export async function decodedEnd(found: Found): Promise<number | undefined> {
  const ends: number[] = [];
  for (const { frames, end } of [await videoEnd(found), await audioEnd(found)])
    if (frames > 0) ends.push(end + offsetOf(found));
  return ends.length === 0 ? undefined : Math.max(...ends);
}

/** Reads the values that the filters printed for one key. The filtergraph counts time in microseconds. */
async function* values({ dir, signal }: Found, key: string): AsyncGenerator<FoundValue> {
  for await (const found of readPrinted(join(dir, printedFile(key)), signal))
    yield { ...found, at: Number(found.pts) / 1_000_000 };
}
const videoEnd = (found: Found) => videoExtent(values(found, VIDEO_FRAMES));
const audioEnd = (found: Found) => audioExtent(values(found, AUDIO_FRAMES));
const last = (found: Found, key: string) => lastValue(values(found, key));
const offsetOf = ({ analysis }: Found): number => Number(analysis.ss ?? 0);

/** Rounds a level in dB. null: the level is infinite (silence) or missing. */
const level = (value: number | undefined): number | null =>
  value === undefined || !Number.isFinite(value) ? null : rounded(value, 2);

async function loudness(found: Found): Promise<Measurements> {
  const [integrated, range, peak] = [
    await last(found, 'lavfi.r128.I'),
    await last(found, 'lavfi.r128.LRA'),
    await last(found, 'lavfi.r128.true_peak'),
  ];
  if (integrated === undefined || range === undefined) return {};
  return {
    loudness: {
      integratedLufs: integrated > SILENCE ? rounded(integrated, 1) : null,
      rangeLu: rounded(range, 1),
      truePeakDbtp: peak === undefined || peak <= 0 ? null : rounded(20 * Math.log10(peak) - PEAK_GAIN_DB, 1),
    },
  };
}

async function volume(found: Found): Promise<Measurements> {
  const [mean, peak] = [
    await last(found, 'lavfi.astats.Overall.RMS_level'),
    await last(found, 'lavfi.astats.Overall.Peak_level'),
  ];
  return mean === undefined ? {} : { volume: { meanDb: level(mean), peakDb: level(peak) } };
}

async function scenes(found: Found): Promise<Measurements> {
  const changes: { at: number; score: number }[] = [];
  let count = 0;
  await using scores = values(found, 'lavfi.scd.score');
  for await (const { at, pts } of values(found, 'lavfi.scd.time')) {
    let score = await scores.next();
    while (score.done !== true && score.value.pts !== pts) score = await scores.next();
    count += 1;
    const value = score.done === true ? 0 : score.value.value;
    if (changes.length < MAX_LISTED) changes.push({ at: rounded(at + offsetOf(found)), score: rounded(value, 1) });
  }
  return { scenes: { count, changes } };
}

async function crop(found: Found): Promise<Measurements> {
  const [width, height, x, y] = await Promise.all(
    ['w', 'h', 'x', 'y'].map((key) => last(found, `lavfi.cropdetect.${key}`)),
  );
  if (width === undefined || height === undefined || x === undefined || y === undefined) return { crop: null };
  if (!(width > 0 && height > 0 && x >= 0 && y >= 0)) return { crop: null };
  return { crop: { width, height, x, y, filter: `crop=${width}:${height}:${x}:${y}` } };
}

/** A stream counts as interlaced or progressive if this share of its frames is. The filter `idet` is wrong about some frames. */
const MAJORITY = 0.8;

async function interlacing(found: Found): Promise<Measurements> {
  const count = async (kind: string) => Math.round((await last(found, `lavfi.idet.multiple.${kind}`)) ?? 0);
  const progressive = await count('progressive');
  const topFieldFirst = await count('tff');
  const bottomFieldFirst = await count('bff');
  const known = progressive + topFieldFirst + bottomFieldFirst;
  const isMost = (frames: number): boolean => known > 0 && frames / known >= MAJORITY;
  const verdict =
    known === 0
      ? 'undetermined'
      : isMost(progressive)
        ? 'progressive'
        : isMost(topFieldFirst)
          ? 'top field first'
          : isMost(bottomFieldFirst)
            ? 'bottom field first'
            : 'mixed';
  const undetermined = await count('undetermined');
  return { interlacing: { verdict, progressive, topFieldFirst, bottomFieldFirst, undetermined } };
}

/** Makes a reader of a function that needs the packets. */
const ofPackets =
  (read: (counter: PacketCounter, part: MeasuredPart, found: Found) => MaybeMeasured): Reader =>
  async (found) =>
    found.packets === undefined ? {} : read(found.packets, measuredPart(found.analysis), found);

const READERS: Readonly<Record<Measurement, Reader>> = {
  loudness,
  volume,
  silence: async (found) => ({
    silence: await intervalsOf(
      printedTimes(values(found, 'lavfi.silence_start')),
      printedTimes(values(found, 'lavfi.silence_end')),
      { end: (await audioEnd(found)).end, offset: offsetOf(found) },
    ),
  }),
  black: async (found) => ({
    black: await intervalsOf(
      frameTimes(values(found, 'lavfi.black_start')),
      frameTimes(values(found, 'lavfi.black_end')),
      {
        end: (await videoEnd(found)).end,
        offset: offsetOf(found),
        minSeconds: allSettings(found.analysis).black.minSeconds,
      },
    ),
  }),
  freeze: async (found) => ({
    freeze: await intervalsOf(
      printedTimes(values(found, 'lavfi.freezedetect.freeze_start')),
      frameTimes(values(found, 'lavfi.freezedetect.freeze_duration')),
      { end: (await videoEnd(found)).end, offset: offsetOf(found) },
    ),
  }),
  scenes,
  crop,
  interlacing,
  duplicates: async (found) => ({
    duplicates: await missingFrames(values(found, VIDEO_FRAMES), values(found, 'distinct-frames'), offsetOf(found)),
  }),
  bitrate: ofPackets((counter, part, { analysis }) => ({
    bitrate: counter.bitRate(part, allSettings(analysis).bitrate.intervalSeconds),
  })),
  keyframes: ofPackets((counter, part) => ({ keyframes: counter.keyFrames(part) })),
  errors: async (found) =>
    found.frames === undefined
      ? {}
      : { errors: await runSteps(fileErrors(found.frames, measuredPart(found.analysis)), found.signal) },
  psnr: async (found) => ({
    psnr: await psnrOf(values(found, 'lavfi.psnr.mse_avg'), values(found, 'lavfi.psnr.psnr_avg'), offsetOf(found)),
  }),
  ssim: async (found) => ({ ssim: await qualityOf(values(found, 'lavfi.ssim.All'), offsetOf(found)) }),
  xpsnr: async (found) => {
    const of = (plane: string) => xpsnrOf(values(found, `lavfi.xpsnr.xpsnr.${plane}`));
    return { xpsnr: { y: await of('y'), u: await of('u'), v: await of('v') } };
  },
  vmaf: async ({ dir }) => ({ vmaf: await readVmaf(join(dir, VMAF_LOG)) }),
} satisfies Record<Measurement | Comparison, Reader>;

/** How many bytes of libvmaf's log to read, from its end. The mean and the lowest score of all frames are there. */
const TAIL_BYTES = 64 * 1024;

const POOLED = /"pooled_metrics"[\s\S]*"vmaf"\s*:\s*\{([^{}]*)\}/;
const number = (text: string, name: string): number =>
  Number(new RegExp(`"${name}"\\s*:\\s*(\\d{1,3}(?:\\.\\d{1,9})?)\\b`).exec(text)?.[1] ?? Number.NaN);

/** The scores in a log of libvmaf 2 or 3. undefined: the log has none. */
export function parseVmaf(text: string): { readonly mean: number; readonly min: number } | undefined {
  const pooled = POOLED.exec(text)?.[1] ?? '';
  const [mean, min] = [number(pooled, 'mean'), number(pooled, 'min')];
  return Number.isFinite(mean) && Number.isFinite(min) ? { mean: rounded(mean, 2), min: rounded(min, 2) } : undefined;
}

const readVmaf = (path: string): Promise<ReturnType<typeof parseVmaf>> =>
  readRegularFile(path, async (file, size) => {
    const buffer = Buffer.alloc(Math.min(TAIL_BYTES, size));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, size - buffer.length);
    return parseVmaf(buffer.toString('latin1', 0, bytesRead));
  });
