import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { METRIC_NAMES, PACKETS_FILE, type PlannedQuality } from '@telecine/contract/domain/quality.ts';
import {
  chooseSamples,
  type NextTry,
  nextTry,
  partsOf,
  type QualitySearch,
  type Sample,
  summaryOf,
  type TriedSample,
  type Try,
} from '../../quality/search.ts';
import type { PreparedRun } from '../conversion-run.ts';
import { explainEmptyOutput } from '../explain-failure.ts';
import type { Pass } from '../pass.ts';
import type { RunState } from '../run-state.ts';
import { CONVERSION_CANCELLED } from '../stop.ts';
import { readPackets, type SourcePackets } from './packet-list.ts';
import { type Failed, runStep } from './step.ts';
import { trySample } from './try-sample.ts';

type Chosen = Extract<NextTry, { kind: 'chosen' }>;

/** A finished search: the value for the whole, and what was tried. */
export interface FoundQuality {
  readonly ok: true;
  readonly chosen: Chosen;
  readonly tried: ReturnType<typeof summaryOf>;
  /** The highest bits per second of the video. undefined: there is no limit. */
  readonly maxBitsPerSecond: number | undefined;
}

/** More tries than a search makes, for the progress. */
const EXPECTED_TRIES = 4;

/** Finds the value of the encoder's quality option by encoding samples of the inputs. */
export async function searchQuality(
  c: PreparedRun,
  quality: PlannedQuality,
  state: RunState,
): Promise<FoundQuality | Failed> {
  const packets = quality.packets && (await listPackets(c, quality.packets, state));
  if (packets !== undefined && 'ok' in packets) return packets;
  const source = sourceOf(quality, packets);
  const search: QualitySearch = {
    encoder: quality.encoder,
    metric: quality.metric,
    target: quality.target,
    scale: quality.scale,
    ...maxBitsOf(quality, source),
  };
  const tries = new Tries(c, quality, state);
  let samples = chooseSamples(partsOf(packets?.video ?? [], source), source);
  let next = nextTry(search, samples, []);
  while (next.kind === 'try') {
    const failure = await tries.run(samples, next);
    if (failure !== undefined) return failure;
    if (tries.isEmpty) {
      // The filters may drop what the samples have. The whole has what the output has.
      if (samples.length === 1) return tries.explainEmpty();
      samples = [{ ...source, tail: 0, weight: 1 }];
    }
    next = nextTry(search, samples, tries.tried);
  }
  return {
    ok: true,
    chosen: next,
    tried: summaryOf(samples, tries.tried),
    maxBitsPerSecond: search.maxBitsPerSecond,
  };
}

/** The part of the input that becomes the output. */
interface Source {
  readonly start: number;
  readonly seconds: number;
  readonly fps: number;
  readonly audioBitrate: number;
}

/** The length and the frame rate that are assumed of an input without a list of packets, such as a source that never ends. */
const UNKNOWN = { seconds: 10, fps: 25 };

function sourceOf({ range }: PlannedQuality, packets: SourcePackets | undefined): Source {
  const { start } = range;
  const end = packets?.endSeconds ?? 0;
  const available = end > start ? end - start : undefined;
  const seconds = Math.min(range.seconds ?? Number.POSITIVE_INFINITY, available ?? range.seconds ?? UNKNOWN.seconds);
  const frames = packets?.video.length ?? 0;
  const first = packets?.video.reduce((earliest, { time }) => Math.min(earliest, time), end) ?? 0;
  return {
    ...{ start, seconds },
    fps: end > first && frames > 0 ? frames / (end - first) : UNKNOWN.fps,
    audioBitrate: end > first ? ((packets?.audioBytes ?? 0) * 8) / (end - first) : 0,
  };
}

/** The bits per second that `maxBitrate` and `maxSize` leave for the video. */
function maxBitsOf(
  { maxBitrate, maxSize, otherBitrate }: PlannedQuality,
  { seconds, audioBitrate }: Source,
): Pick<QualitySearch, 'maxBitsPerSecond'> {
  const bySize = maxSize === undefined ? undefined : (maxSize * 8) / seconds - (otherBitrate ?? audioBitrate);
  const limits = [maxBitrate, bySize].filter((one) => one !== undefined);
  return limits.length === 0 ? {} : { maxBitsPerSecond: Math.max(1, Math.round(Math.min(...limits))) };
}

/** Lists the packets of the input. undefined: it has no video that ffmpeg can list, and the samples are chosen without it. */
async function listPackets(
  c: PreparedRun,
  argv: readonly string[],
  state: RunState,
): Promise<SourcePackets | Failed | undefined> {
  const step = await runStep(c, argv, state, { isFirst: true });
  if (!step.ok) return step;
  const file = join(c.dir, PACKETS_FILE);
  try {
    return await readPackets(file, c.signal);
  } catch (error) {
    if (!c.signal.aborted) throw error;
    return { ok: false, failure: CONVERSION_CANCELLED, raw: '' };
  } finally {
    await rm(file, { force: true });
  }
}

/** The tries of a search, with their samples. */
class Tries {
  readonly tried: Try[] = [];
  readonly #c: PreparedRun;
  readonly #quality: PlannedQuality;
  readonly #state: RunState;
  #last: Pass | undefined;

  constructor(c: PreparedRun, quality: PlannedQuality, state: RunState) {
    this.#c = c;
    this.#quality = quality;
    this.#state = state;
  }

  /** True if no sample had a frame. */
  get isEmpty(): boolean {
    return this.tried.length === 0;
  }

  /** Encodes the samples of a try. Samples without frames are left out. */
  async run(
    samples: readonly Sample[],
    { value, samples: indexes }: Extract<NextTry, { kind: 'try' }>,
  ): Promise<Failed | undefined> {
    const found: TriedSample[] = [];
    for (const [at, index] of indexes.entries()) {
      const sample = samples[index];
      if (sample === undefined) continue;
      const end = await trySample(this.#c, this.#quality, { sample, value }, this.#state);
      if (!end.ok) return end;
      this.#last = end.encoded;
      if (end.found !== undefined) found.push({ index, ...end.found });
      this.#report((at + 1) / indexes.length);
    }
    if (found.length === 0) return undefined;
    this.tried.push({ value, samples: found });
    this.#note(samples);
    return undefined;
  }

  async explainEmpty(): Promise<Failed> {
    const { stopper } = this.#state;
    if (this.#last === undefined) throw new RangeError('No sample was encoded.');
    const failure = await explainEmptyOutput(this.#c, this.#last.firstOutput, stopper);
    return { ok: false, failure, raw: this.#last.lastLines };
  }

  /** @param done The finished share of the running try. */
  #report(done: number): void {
    const { tracker, log } = this.#state;
    const outSeconds = Math.min(EXPECTED_TRIES, this.tried.length + done);
    this.#c.onProgress(tracker.update(0, { outSeconds, ended: false }, EXPECTED_TRIES), log.text());
  }

  #note(samples: readonly Sample[]): void {
    const last = summaryOf(samples, this.tried).at(-1);
    if (last === undefined) return;
    const { metric, scale } = this.#quality;
    const kilobits = Math.round(last.bitsPerSecond / 1000);
    this.#state.log.note(
      `Quality, try ${this.tried.length}: ${scale.option} ${last.value} has ${METRIC_NAMES[metric]} ${Number(last.score.toFixed(4))} at ${kilobits} kb/s`,
    );
  }
}
