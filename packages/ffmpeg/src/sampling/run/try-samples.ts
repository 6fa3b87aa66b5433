import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { FrameSize, PlannedSamples } from '@telecine/contract/domain/sampling.ts';
import type { PreparedRun } from '../../run/conversion-run.ts';
import type { Failed } from '../../run/run-pass.ts';
import type { RunState } from '../../run/run-state.ts';
import type { Candidate, Chooser, Try } from '../choosers/curve.ts';
import type { Sample, SampledSource } from '../choosers/samples.ts';
import { sizeName } from '../choosers/sizes.ts';
import { fillArgv } from '../fill-argv.ts';
import { compareVideos, fpsOf } from './compare.ts';
import { runStep } from './run-step.ts';

/** Encodes samples as long as a chooser wants more, and returns what they show. */
export async function trySamples(
  c: PreparedRun,
  planned: PlannedSamples,
  { member, samples: wanted, usualRounds, next }: Chooser,
  source: SampledSource,
  state: RunState,
): Promise<readonly Try[] | Failed> {
  let samples = wanted;
  const tries: Try[] = [];
  let [rounds, done] = [0, 0];
  let total = Math.round(usualRounds * samples.length);
  for (let round = next(samples, tries, rounds); round !== undefined; round = next(samples, tries, rounds)) {
    for (const [at, sample] of round.samples.entries()) {
      total = Math.max(total, done + round.samples.length - at);
      const progress = state.tracker.update(0, { outSeconds: done, ended: false }, total);
      c.onProgress({ ...progress, samples: { choose: member, done, total } }, state.log.text());
      const found = await trySample(c, planned, sample, round.candidates, source.size, state);
      if ('ok' in found) return found;
      // Filters may drop all frames of a part.
      if (found.length === 0) samples = samples.filter((one) => one !== sample);
      tries.push(...found);
      done += 1;
    }
    rounds += 1;
    if (samples.length === 0) return { ok: false, failure: NO_FRAMES, raw: '' };
  }
  return tries;
}

const NO_FRAMES: Failure = {
  code: 'UNSUPPORTED',
  message: 'The samples of the video have no frames: a filter drops most of it.',
  fix: 'Send "ss" and "t" instead of the filter, or a fixed "crf".',
};

/** Encodes a sample with all candidates at once, and compares all with their source. */
async function trySample(
  c: PreparedRun,
  { encode, scale, compare, metric }: PlannedSamples,
  sample: Sample,
  candidates: readonly Candidate[],
  size: FrameSize,
  state: RunState,
): Promise<readonly Try[] | Failed> {
  const times = { start: sample.start.toFixed(6), seconds: sample.seconds.toFixed(6) };
  const files = candidates.map((_, number) => `pass/sample-${number}.nut`);
  const each = candidates.flatMap(({ value, size: scaled }, number) => [
    ...[...encode.each, `-${scale.option}:v`, String(value)],
    ...(scaled === undefined ? [] : ['-s:v', sizeName(scaled)]),
    ...['-f', 'nut', '-y', `file:${files[number]}`],
  ]);
  // ffmpeg reports each encoded sample as an output.
  const several = { ...c, plan: { ...c.plan, outputs: candidates.flatMap(() => c.plan.outputs.slice(0, 1)) } };
  const encoding = await runStep(several, [...fillArgv(encode.start, times), ...each], state);
  if (!encoding.ok) return encoding;
  const { pass } = encoding;
  const encoded = pass.lastBlock?.frame ?? 0;
  if (encoded === 0) return [];
  const isSized = candidates.some((one) => one.size !== undefined);
  const frames = Math.max(1, Math.round(encoded * (1 - (sample.tail ?? 0) / sample.seconds)));
  const comparison = { ...compare, start: fillArgv(compare.start, times) };
  const videos = { files, frames, pass, ...(isSized && { size }) };
  const scores = await compareVideos(c, comparison, metric, videos, state);
  if ('ok' in scores) return scores;
  const tries: Try[] = [];
  for (const [number, candidate] of candidates.entries()) {
    const path = join(c.dir, files[number] ?? '');
    const { size: bytes } = await lstat(path);
    await rm(path, { force: true });
    const seconds = isSized ? encoded / fpsOf(pass) : sample.seconds;
    tries.push({ ...candidate, sample, bytes, seconds, score: scores[number] ?? 0 });
  }
  return tries;
}
