import { METRIC_NAMES, type PlannedQuality, type TriedQuality } from '@telecine/contract/domain/quality.ts';
import type { Sample } from '../../quality/samples.ts';
import {
  type CorrectedValue,
  correctedValue,
  type EncodedQuality,
  type NextTry,
  nextTry,
  type QualitySearch,
  summaryOf,
  type TriedSample,
  type Try,
} from '../../quality/search.ts';
import { roundedScore } from '../../quality/search-scales.ts';
import type { PreparedRun } from '../conversion-run.ts';
import { explainEmptyOutput } from '../explain-failure.ts';
import type { Pass } from '../pass.ts';
import type { Failed } from '../run-pass.ts';
import type { RunState } from '../run-state.ts';
import { trySample } from './try-sample.ts';

/** More tries than a search makes, for the progress. */
const EXPECTED_TRIES = 4;

/** What a search begins with. */
interface SearchStart {
  readonly quality: PlannedQuality;
  readonly search: QualitySearch;
  readonly samples: readonly Sample[];
  /** The sample that has all frames of the output. */
  readonly whole: Sample;
  /** True if the first sample is the first that ffmpeg does for the job. */
  readonly isFirst: boolean;
}

/** The samples of a search, and what was tried with them. */
export class SampleTries {
  readonly #c: PreparedRun;
  readonly #state: RunState;
  readonly #start: SearchStart;
  #samples: readonly Sample[];
  #tried: readonly Try[] = [];
  /** How many samples were encoded in all tries. */
  #done = 0;
  #isFirst: boolean;

  constructor(c: PreparedRun, start: SearchStart, state: RunState) {
    this.#c = c;
    this.#start = start;
    this.#state = state;
    this.#samples = start.samples;
    this.#isFirst = start.isFirst;
  }

  /** What to try next, or the value for the full video. */
  get next(): NextTry {
    return nextTry(this.#start.search, this.#samples, this.#tried);
  }

  get summary(): readonly TriedQuality[] {
    return summaryOf(this.#start.search, this.#samples, this.#tried);
  }

  /** The corrected value, after the full video was encoded once. `maxBitsPerSecond`: default: that of the search. */
  corrected(whole: EncodedQuality, maxBitsPerSecond = this.#start.search.maxBitsPerSecond): CorrectedValue {
    const search = { ...this.#start.search, ...(maxBitsPerSecond !== undefined && { maxBitsPerSecond }) };
    return correctedValue(search, this.#samples, this.#tried, whole);
  }

  /** Encodes and compares the samples of a try. Samples without a frame are removed, because the filters drop this part of the video. */
  async run({ value, samples: wanted }: Extract<NextTry, { kind: 'try' }>): Promise<Failed | undefined> {
    // If no sample has a loss, none is chosen by its loss, so try all.
    const indexes = wanted.length > 0 ? wanted : this.#samples.map((_, index) => index);
    const found: TriedSample[] = [];
    const empty = new Set<number>();
    let last: Pass | undefined;
    this.#report(0, indexes.length);
    for (const [at, index] of indexes.entries()) {
      const sample = this.#samples[index];
      if (sample === undefined) continue;
      const end = await trySample(
        this.#c,
        this.#start.quality,
        { sample, value, isFirst: this.#takeFirst() },
        this.#state,
      );
      if (!end.ok) return end;
      last = end.encoded;
      if (end.found === undefined) empty.add(index);
      else found.push({ index, ...end.found });
      this.#done += 1;
      this.#report(at + 1, indexes.length);
    }
    if (found.length > 0) this.#tried = [...this.#tried, { value, samples: found }];
    if (empty.size > 0) {
      const isWhole = this.#samples.length === 1 && this.#samples[0] === this.#start.whole;
      if (isWhole && last !== undefined) return this.#explainEmpty(last);
      this.#remove(empty);
    }
    this.#note();
    return undefined;
  }

  /** True once, if the first sample is the first that ffmpeg does for the job. */
  #takeFirst(): boolean {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    return isFirst;
  }

  /** Removes samples. If none is left, uses the full video as the only sample. */
  #remove(empty: ReadonlySet<number>): void {
    const kept = this.#samples.flatMap((sample, index) => (empty.has(index) ? [] : [{ sample, index }]));
    const weight = kept.reduce((sum, { sample }) => sum + sample.weight, 0);
    const places = new Map(kept.map(({ index }, at) => [index, at]));
    this.#samples =
      kept.length === 0
        ? [this.#start.whole]
        : kept.map(({ sample }) => ({ ...sample, weight: sample.weight / weight }));
    this.#tried = this.#tried.flatMap(({ value, samples }) => {
      const moved = samples.flatMap((one) => {
        const index = places.get(one.index);
        return index === undefined ? [] : [{ ...one, index }];
      });
      return moved.length === 0 ? [] : [{ value, samples: moved }];
    });
  }

  async #explainEmpty(encoded: Pass): Promise<Failed> {
    const failure = await explainEmptyOutput(this.#c, encoded.firstOutput, this.#state.stopper);
    return { ok: false, failure, raw: encoded.lastLines };
  }

  /**
   * @param done How many samples of the running try are done.
   * @param all How many samples it has. Later tries are expected to have as many.
   */
  #report(done: number, all: number): void {
    const { tracker, log } = this.#state;
    const tried = Math.min(EXPECTED_TRIES, this.#tried.length + done / all);
    const progress = tracker.update(0, { outSeconds: tried, ended: false }, EXPECTED_TRIES);
    const laterTries = Math.max(0, EXPECTED_TRIES - 1 - this.#tried.length);
    const samples = { choose: 'quality', done: this.#done, total: this.#done + all - done + laterTries * all } as const;
    this.#c.onProgress({ ...progress, samples }, log.text());
  }

  /** Adds what the last try showed to the log of the job. */
  #note(): void {
    const last = this.#tried.at(-1);
    const shown = this.summary.find(({ value }) => value === last?.value);
    if (last === undefined || shown === undefined) return;
    const { metric, scale } = this.#start.quality;
    const kilobits = Math.round(shown.bitsPerSecond / 1000);
    this.#state.log.note(
      `Quality, try ${this.#tried.length}: ${scale.option} ${last.value} has ${METRIC_NAMES[metric]} ${roundedScore(shown.score)} at ${kilobits} kb/s`,
    );
  }
}
