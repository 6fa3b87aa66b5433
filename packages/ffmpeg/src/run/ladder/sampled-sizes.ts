import type { SampleProgress } from '@telecine/contract/domain/job.ts';
import type { SizedSamples } from '@telecine/contract/domain/ladder.ts';
import type { SizeValue } from '../../quality/frame-size.ts';
import {
  expectedPoint,
  type FrameSize,
  type LadderPoint,
  type LadderSample,
  type LadderTry,
  outputShare,
} from '../../quality/ladder.ts';
import type { Sample } from '../../quality/samples.ts';
import type { PreparedRun } from '../conversion-run.ts';
import type { Pass } from '../pass.ts';
import type { Source } from '../quality/search-quality.ts';
import type { Failed } from '../run-pass.ts';
import type { RunState } from '../run-state.ts';
import { tryValues } from './try-values.ts';

/** The part of the input from which samples are taken. */
export interface SampledSource {
  /** The size of what the encoder gets. */
  readonly size: FrameSize;
  readonly samples: readonly Sample[];
  readonly range: Source;
}

/** What the full video is expected to have in each try. */
interface TriedSizes {
  readonly ok: true;
  /** Empty: the filters drop all frames. */
  readonly points: readonly LadderPoint[];
  /** How many seconds of the output a second of the source becomes. */
  readonly share: number;
}

/** Encodes the samples of a video in several sizes and with several values. */
export class SampledSizes {
  readonly #c: PreparedRun;
  readonly #planned: SizedSamples;
  readonly #source: SampledSource;
  readonly #state: RunState;
  readonly #mayUseWhole: boolean;
  readonly #choose: SampleProgress['choose'];
  /** Samples without a frame are removed, because the filters drop this part of the video. */
  #samples: readonly Sample[];
  /** The share of the source that the samples stand for. */
  #kept = 1;
  #done = 0;
  #expected: number;

  /**
   * @param choose What the samples choose, for the progress.
   * @param tries How often they will be tried, for the progress.
   * @param mayUseWhole Whether the full video may be the sample if the filters drop all others.
   */
  constructor(
    c: PreparedRun,
    planned: SizedSamples,
    source: SampledSource,
    state: RunState,
    {
      choose,
      tries,
      mayUseWhole,
    }: { readonly choose: SampleProgress['choose']; readonly tries: number; readonly mayUseWhole: boolean },
  ) {
    this.#choose = choose;
    this.#mayUseWhole = mayUseWhole;
    this.#c = c;
    this.#planned = planned;
    this.#source = source;
    this.#state = state;
    this.#samples = source.samples;
    this.#expected = source.samples.length * tries;
  }

  /** Encodes all samples in the size and with the value of each of the tries, which are `LADDER_VALUES`. */
  async try(tries: readonly SizeValue[]): Promise<TriedSizes | Failed> {
    const byTry = tries.map((): LadderSample[] => []);
    const empty = new Set<Sample>();
    this.#expected = Math.max(this.#expected, this.#done + this.#samples.length);
    this.#report();
    for (const [index, sample] of this.#samples.entries()) {
      const tried = await tryValues(this.#c, this.#planned, { sample, tries, source: this.#source.size }, this.#state);
      if (!tried.ok) return tried;
      if (tried.found.length === 0) empty.add(sample);
      for (const [number, one] of tried.found.entries()) byTry[number]?.push({ index, ...one });
      this.#done += 1;
      this.#report();
    }
    if (empty.size > 0) return this.#without(empty) ? this.try(tries) : { ok: true, points: [], share: 1 };
    const done = tries.map((one, number): LadderTry => ({ ...one, samples: byTry[number] ?? [] }));
    const [first] = done;
    return {
      ok: true,
      points: done.flatMap((one) => expectedPoint(this.#samples, one) ?? []),
      share: first === undefined ? 1 : this.#kept * outputShare(this.#samples, first),
    };
  }

  /** Removes samples. If none is left, uses the full video as the only sample. Returns false if it was that already, or may not be. */
  #without(empty: ReadonlySet<Sample>): boolean {
    const { start, seconds } = this.#source.range;
    const kept = this.#samples.filter((sample) => !empty.has(sample));
    if (kept.length === 0 && !this.#mayUseWhole) return false;
    const isWhole = this.#samples.length === 1 && this.#samples[0]?.seconds === seconds;
    const weight = kept.reduce((sum, sample) => sum + sample.weight, 0);
    this.#kept = kept.length === 0 ? 1 : this.#kept * weight;
    this.#samples =
      kept.length === 0
        ? [{ start, seconds, weight: 1 }]
        : kept.map((sample) => ({ ...sample, weight: sample.weight / weight }));
    return !isWhole;
  }

  #report(): void {
    const { tracker, log } = this.#state;
    const progress = tracker.update(0, { outSeconds: this.#done, ended: false }, this.#expected);
    const samples = { choose: this.#choose, done: this.#done, total: this.#expected };
    this.#c.onProgress({ ...progress, samples }, log.text());
  }
}

/** The size of what the encoder gets. undefined: ffmpeg logged none, because there is no frame. */
export function frameSizeOf({ firstOutput, lastBlock }: Pass): FrameSize | undefined {
  const { width, height } = firstOutput.report.streams?.find(({ type }) => type === 'video') ?? {};
  return width === undefined || height === undefined || lastBlock?.frame === 0 ? undefined : { width, height };
}
