import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { SampleProgress } from '@telecine/contract/domain/job.ts';
import type { FrameSize, PlannedSamples } from '@telecine/contract/domain/sampling.ts';
import type { PreparedRun } from '../../run/conversion-run.ts';
import type { Failed } from '../../run/run-pass.ts';
import type { RunState } from '../../run/run-state.ts';
import type { Candidate, Try } from '../choosers/curve.ts';
import type { Sample } from '../choosers/samples.ts';
import { fillArgv } from '../fill-argv.ts';
import { compareVideos, fpsOf } from './compare.ts';
import { runStep } from './run-step.ts';

/** What a search encodes, and what it says about itself meanwhile. */
interface SampleSearch {
  readonly choose: SampleProgress['choose'];
  readonly planned: PlannedSamples;
  readonly samples: readonly Sample[];
  /** How many samples it usually encodes, each time with all values. */
  readonly expected: number;
  /** Present: samples have sizes of their own. They are compared after they are scaled up to this size, that of the source. */
  readonly size?: FrameSize;
}

/** Encodes samples of a video with values, and keeps what they show. */
export class SampleRuns {
  readonly #c: PreparedRun;
  readonly #search: SampleSearch;
  readonly #state: RunState;
  #done = 0;
  #expected: number;
  /** The samples that have frames. Filters may drop all frames of a part. */
  samples: readonly Sample[];
  tries: readonly Try[] = [];
  rounds = 0;

  constructor(c: PreparedRun, search: SampleSearch, state: RunState) {
    this.#c = c;
    this.#search = search;
    this.#state = state;
    this.#expected = search.expected;
    this.samples = search.samples;
  }

  /** Encodes samples with each of the candidates. Fails if no sample has frames. */
  async run(candidates: readonly Candidate[], wanted: readonly Sample[] = this.samples): Promise<Failed | undefined> {
    this.rounds += 1;
    this.#report(wanted.length);
    for (const [at, sample] of wanted.entries()) {
      const tries = await this.#try(sample, candidates);
      if ('ok' in tries) return tries;
      this.tries = [...this.tries, ...tries];
      this.#done += 1;
      this.#report(wanted.length - at - 1);
      if (tries.length === 0) this.samples = this.samples.filter((one) => one !== sample);
    }
    return this.samples.length === 0 ? { ok: false, failure: NO_FRAMES, raw: '' } : undefined;
  }

  /** Encodes a sample with all candidates at once, and compares all with their source. */
  async #try(sample: Sample, candidates: readonly Candidate[]): Promise<readonly Try[] | Failed> {
    const [c, { planned, size }, state] = [this.#c, this.#search, this.#state];
    const { encode, scale, compare } = planned;
    const times = { start: sample.start.toFixed(6), seconds: sample.seconds.toFixed(6) };
    const files = candidates.map((_, number) => `pass/sample-${number}.nut`);
    const each = candidates.flatMap((candidate, number) => [
      ...[...encode.each, `-${scale.option}:v`, String(candidate.value)],
      ...(candidate.size === undefined ? [] : ['-s:v', `${candidate.size.width}x${candidate.size.height}`]),
      ...['-f', 'nut', '-y', `file:${files[number]}`],
    ]);
    // ffmpeg reports each encoded sample as an output.
    const several = { ...c, plan: { ...c.plan, outputs: candidates.flatMap(() => c.plan.outputs.slice(0, 1)) } };
    const encoding = await runStep(several, [...fillArgv(encode.start, times), ...each], state);
    if (!encoding.ok) return encoding;
    const { pass } = encoding;
    const encoded = pass.lastBlock?.frame ?? 0;
    if (encoded === 0) return [];
    const frames = Math.max(1, Math.round(encoded * (1 - (sample.tail ?? 0) / sample.seconds)));
    const comparison = { ...compare, start: fillArgv(compare.start, times) };
    const scores = await compareVideos(c, comparison, planned.metric, { files, frames, pass, size }, state);
    if ('ok' in scores) return scores;
    const tries: Try[] = [];
    for (const [number, candidate] of candidates.entries()) {
      const path = join(c.dir, files[number] ?? '');
      const { size: bytes } = await lstat(path);
      await rm(path, { force: true });
      const seconds = size === undefined ? sample.seconds : encoded / fpsOf(pass);
      tries.push({ ...candidate, sample, bytes, seconds, score: scores[number] ?? 0 });
    }
    return tries;
  }

  /** @param left How many samples of the running round are left. */
  #report(left: number): void {
    const { tracker, log } = this.#state;
    this.#expected = Math.max(this.#expected, this.#done + left);
    const progress = tracker.update(0, { outSeconds: this.#done, ended: false }, this.#expected);
    const samples = { choose: this.#search.choose, done: this.#done, total: this.#expected };
    this.#c.onProgress({ ...progress, samples }, log.text());
  }
}

const NO_FRAMES: Failure = {
  code: 'UNSUPPORTED',
  message: 'The samples of the video have no frames: a filter drops most of it.',
  fix: 'Send "ss" and "t" instead of the filter, or a fixed "crf".',
};
