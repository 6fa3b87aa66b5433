import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { SampleProgress } from '@telecine/contract/domain/job.ts';
import { type FrameSize, PACKETS_FILE, type PlannedSamples } from '@telecine/contract/domain/sampling.ts';
import type { PreparedRun } from '../../run/conversion-run.ts';
import { explainEmptyOutput } from '../../run/explain-failure.ts';
import type { Pass } from '../../run/pass.ts';
import type { Failed } from '../../run/run-pass.ts';
import type { RunState } from '../../run/run-state.ts';
import type { NextTries, Try } from '../choosers/curve.ts';
import { partsOf, type Sample, type SourcePart } from '../choosers/samples.ts';
import { fillArgv } from '../fill-argv.ts';
import { compareVideos, fpsOf, videoOf } from './compare.ts';
import { bitsPerPixel, readPackets } from './packet-list.ts';
import { readScratch, runStep, stopped } from './run-step.ts';

/** The part of the input that becomes the output. */
export interface SampledSource {
  readonly seconds: number;
  /** false: `seconds` is only assumed. */
  readonly isKnown: boolean;
  readonly parts: readonly SourcePart[];
  /** The bits that H.264 would need for each of its pixels. undefined: unknown. */
  readonly bitsPerPixel: number | undefined;
  /** The size of the frames that the encoder gets. */
  readonly size: FrameSize;
  /** The run that has read it. */
  readonly pass: Pass;
}

/** How `quality`, `ladder` or `frameSize` chooses what to try. */
export interface Chooser {
  readonly choose: SampleProgress['choose'];
  readonly samples: readonly Sample[];
  /** How often all samples are usually tried. */
  readonly usualRounds: number;
  /** What to try next. undefined: enough is known. `samples`: those that have frames. `rounds`: how often something was tried. */
  readonly next: (samples: readonly Sample[], tries: readonly Try[], rounds: number) => NextTries | undefined;
}

/** Encodes samples as long as a chooser wants more, and returns what they show. */
export async function trySamples(
  c: PreparedRun,
  planned: PlannedSamples,
  { choose, samples: wanted, usualRounds, next }: Chooser,
  source: SampledSource,
  state: RunState,
): Promise<readonly Try[] | Failed> {
  let [samples, tries] = [wanted, [] as readonly Try[]];
  let [rounds, done] = [0, 0];
  let total = Math.round(usualRounds * samples.length);
  for (let round = next(samples, tries, rounds); round !== undefined; round = next(samples, tries, rounds)) {
    for (const [at, sample] of round.samples.entries()) {
      total = Math.max(total, done + round.samples.length - at);
      const progress = state.tracker.update(0, { outSeconds: done, ended: false }, total);
      c.onProgress({ ...progress, samples: { choose, done, total } }, state.log.text());
      const found = await trySample(c, planned, { sample, candidates: round.candidates, source }, state);
      if ('ok' in found) return found;
      // Filters may drop all frames of a part.
      if (found.length === 0) samples = samples.filter((one) => one !== sample);
      tries = [...tries, ...found];
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

interface TriedSample extends Pick<NextTries, 'candidates'> {
  readonly sample: Sample;
  readonly source: SampledSource;
}

/** Encodes a sample with all candidates at once, and compares all with their source. */
async function trySample(
  c: PreparedRun,
  { encode, scale, compare, metric }: PlannedSamples,
  { sample, candidates, source }: TriedSample,
  state: RunState,
): Promise<readonly Try[] | Failed> {
  const times = { start: sample.start.toFixed(6), seconds: sample.seconds.toFixed(6) };
  const files = candidates.map((_, number) => `pass/sample-${number}.nut`);
  const each = candidates.flatMap(({ value, size }, number) => [
    ...[...encode.each, `-${scale.option}:v`, String(value)],
    ...(size === undefined ? [] : ['-s:v', `${size.width}x${size.height}`]),
    ...['-f', 'nut', '-y', `file:${files[number]}`],
  ]);
  // ffmpeg reports each encoded sample as an output.
  const several = { ...c, plan: { ...c.plan, outputs: candidates.flatMap(() => c.plan.outputs.slice(0, 1)) } };
  const encoding = await runStep(several, [...fillArgv(encode.start, times), ...each], state);
  if (!encoding.ok) return encoding;
  const { pass } = encoding;
  const encoded = pass.lastBlock?.frame ?? 0;
  if (encoded === 0) return [];
  const isSized = candidates.some(({ size }) => size !== undefined);
  const frames = Math.max(1, Math.round(encoded * (1 - (sample.tail ?? 0) / sample.seconds)));
  const comparison = { ...compare, start: fillArgv(compare.start, times) };
  const videos = { files, frames, pass, ...(isSized && { size: source.size }) };
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

/** The assumed length in seconds of an input without a list of packets, such as a source that never ends. */
const UNKNOWN_SECONDS = 10;

/** Reads the first frame and the packets of the input. If ffmpeg cannot list them, samples are chosen by time alone. */
export async function readSource(
  c: PreparedRun,
  { inspect, packets: argv, range }: PlannedSamples,
  state: RunState,
): Promise<SampledSource | Failed> {
  const inspected = await runStep(c, inspect, state);
  if (!inspected.ok) return inspected;
  const { pass } = inspected;
  const { width, height } = videoOf(pass) ?? {};
  if (width === undefined || height === undefined || pass.lastBlock?.frame === 0) {
    const failure = await explainEmptyOutput(c, pass.firstOutput, state.stopper);
    return { ok: false, failure, raw: pass.lastLines };
  }
  const listing = argv && (await runStep(c, argv, state));
  const end = stopped(state);
  if (end !== undefined) return end;
  const file = join(c.dir, PACKETS_FILE);
  const packets = listing?.ok === true ? await readScratch(c, () => readPackets(file, c.signal)) : undefined;
  if (packets !== undefined && 'ok' in packets) return packets;
  await rm(file, { force: true });
  const { start } = range;
  const available = (packets?.endSeconds ?? 0) - start;
  const lengths = [range.seconds, available > 0 ? available : undefined].filter((one) => one !== undefined);
  const seconds = lengths.length > 0 ? Math.min(...lengths) : UNKNOWN_SECONDS;
  return {
    ...{ seconds, isKnown: lengths.length > 0, pass, size: { width, height } },
    bitsPerPixel: packets && listing?.ok === true ? bitsPerPixel(packets.video, videoOf(listing.pass)) : undefined,
    parts: partsOf(packets?.video ?? [], { start, seconds }),
  };
}
