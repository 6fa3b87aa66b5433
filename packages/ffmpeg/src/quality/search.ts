// A simple version, until the search of its own branch replaces this file.
import type { QualityMetric, QualityScale } from '@telecine/contract/domain/quality.ts';

export interface SourcePart {
  readonly start: number;
  readonly seconds: number;
  readonly bytes: number;
  readonly key: boolean;
}

export interface SourcePacket {
  readonly time: number;
  readonly bytes: number;
  readonly key: boolean;
}

const PART_SECONDS = 0.5;

export function partsOf(
  packets: readonly SourcePacket[],
  range?: { readonly start: number; readonly seconds: number },
): readonly SourcePart[] {
  const last = packets.reduce((latest, { time }) => Math.max(latest, time), 0);
  const start = range?.start ?? 0;
  const seconds = range?.seconds ?? last;
  const count = Math.max(1, Math.ceil(seconds / PART_SECONDS));
  const parts = Array.from({ length: count }, (_, index) => ({
    start: start + index * PART_SECONDS,
    seconds: PART_SECONDS,
    bytes: 0,
    key: false,
  }));
  for (const { time, bytes } of packets) {
    const part = parts[Math.floor((time - start) / PART_SECONDS)];
    if (part !== undefined) part.bytes += bytes;
  }
  return parts;
}

export interface Sample {
  readonly start: number;
  readonly seconds: number;
  readonly tail: number;
  readonly weight: number;
}

export interface SamplesOptions {
  readonly seconds: number;
  readonly fps: number;
}

const SAMPLES = 4;
const SAMPLE_SECONDS = 2;

export function chooseSamples(parts: readonly SourcePart[], { seconds }: SamplesOptions): readonly Sample[] {
  const start = parts[0]?.start ?? 0;
  if (seconds <= SAMPLES * SAMPLE_SECONDS * 3) return [{ start, seconds, tail: 0, weight: 1 }];
  return Array.from({ length: SAMPLES }, (_, index) => ({
    start: start + ((index + 0.5) * seconds) / SAMPLES,
    seconds: SAMPLE_SECONDS,
    tail: 0,
    weight: 1 / SAMPLES,
  }));
}

const crf = (max: number, step: number, needs?: Readonly<Record<string, string>>): QualityScale => ({
  option: 'crf',
  min: 0,
  max,
  step,
  ...(needs && { needs }),
});
const CQ: QualityScale = { option: 'cq', min: 1, max: 51, step: 1, needs: { 'b:v': '0' } };
const qp = (max: number): QualityScale => ({ option: 'qp', min: 1, max, step: 1 });

export const QUALITY_SCALES: Readonly<Record<string, QualityScale>> = {
  libx264: crf(51, 0.1),
  libx265: crf(51, 0.1),
  libsvtav1: crf(63, 1),
  'libaom-av1': crf(63, 1, { 'b:v': '0' }),
  'libvpx-vp9': crf(63, 1, { 'b:v': '0' }),
  h264_nvenc: CQ,
  hevc_nvenc: CQ,
  av1_nvenc: CQ,
  h264_vaapi: qp(51),
  hevc_vaapi: qp(51),
  av1_vaapi: qp(255),
  vp9_vaapi: qp(255),
};

export interface QualitySearch {
  readonly encoder: string;
  readonly metric: QualityMetric;
  readonly target: number;
  readonly scale?: QualityScale;
  readonly maxBitsPerSecond?: number;
}

export interface Try {
  readonly value: number;
  readonly samples: readonly TriedSample[];
}

export interface TriedSample {
  readonly index: number;
  readonly score: number;
  readonly bytes: number;
}

export type NextTry =
  | { readonly kind: 'try'; readonly value: number; readonly samples: readonly number[] }
  | {
      readonly kind: 'chosen';
      readonly value: number;
      readonly score: number;
      readonly bitsPerSecond: number;
      readonly reached: boolean;
      readonly limit?: 'scale' | 'bitrate';
    };

export const TOLERANCES: Readonly<Record<QualityMetric, number>> = { ssim: 0.002, xpsnr: 0.3, vmaf: 1 };

const MAX_TRIES = 4;

export function nextTry(search: QualitySearch, samples: readonly Sample[], tried: readonly Try[]): NextTry {
  const scale = search.scale ?? QUALITY_SCALES[search.encoder];
  if (scale === undefined) throw new RangeError(`The encoder ${search.encoder} has no quality scale.`);
  const { min, max, step } = scale;
  const { target, metric, maxBitsPerSecond = Number.POSITIVE_INFINITY } = search;
  const all = samples.map((_, index) => index);
  const summaries = summaryOf(samples, tried).toSorted((a, b) => a.value - b.value);
  const isGood = ({ score }: { readonly score: number }): boolean => score >= target;
  const isSmall = ({ bitsPerSecond }: { readonly bitsPerSecond: number }): boolean => bitsPerSecond <= maxBitsPerSecond;
  const below = summaries.findLast((one) => isGood(one) || !isSmall(one));
  const above = summaries.find((one) => !isGood(one) && isSmall(one));
  const best = summaries.findLast((one) => isGood(one) && isSmall(one)) ?? above ?? summaries.at(-1);
  const low = below?.value ?? min;
  const high = above?.value ?? max;
  const near = best !== undefined && Math.abs(best.score - target) <= TOLERANCES[metric] / 2 && isSmall(best);
  const middle = Math.round((tried.length === 0 ? min + (max - min) / 2 : (low + high) / 2) / step) * step;
  const value = Number(middle.toFixed(3));
  if (best !== undefined && (near || tried.length >= MAX_TRIES || summaries.some((one) => one.value === value)))
    return {
      kind: 'chosen',
      value: best.value,
      score: best.score,
      bitsPerSecond: best.bitsPerSecond,
      reached: best.score >= target - TOLERANCES[metric],
      ...(best.score < target - TOLERANCES[metric] && {
        limit: summaries.some((one) => !isSmall(one)) ? ('bitrate' as const) : ('scale' as const),
      }),
    };
  return { kind: 'try', value, samples: all };
}

export const summaryOf = (samples: readonly Sample[], tried: readonly Try[]) =>
  tried.map(({ value, samples: scores }) => {
    let [weights, score, bits] = [0, 0, 0];
    for (const { index, score: own, bytes } of scores) {
      const { weight = 0, seconds = 1 } = samples[index] ?? {};
      weights += weight;
      score += own * weight;
      bits += ((bytes * 8) / seconds) * weight;
    }
    return { value, score: score / (weights || 1), bitsPerSecond: Math.round(bits / (weights || 1)) };
  });
