import type { Failure } from '@telecine/contract/domain/failure.ts';
import { LADDER_RUNGS } from '@telecine/contract/domain/ladder.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { MAX_OUTPUT_FILES } from '@telecine/contract/domain/planned-files.ts';
import { METRIC_NAMES } from '@telecine/contract/domain/quality.ts';
import type { ChosenLadder, PlannedLadder } from '@telecine/contract/domain/sampling.ts';
import type { PreparedRun } from '../../run/conversion-run.ts';
import type { Pass } from '../../run/pass.ts';
import type { Failed } from '../../run/run-pass.ts';
import type { RunState } from '../../run/run-state.ts';
import {
  betterValues,
  chooseRungs,
  firstValues,
  type LadderSearch,
  ladderSamples,
  ladderSizes,
  type OutputLength,
  rungsOfFiles,
  variantsOfRungs,
} from '../choosers/ladder.ts';
import { triedPoints } from '../choosers/quality.ts';
import { kilobits, type SizedPoint, sizeName } from '../choosers/sizes.ts';
import { fillArgv, rungArgs } from '../fill-argv.ts';
import { inspectFrame, readSource, SampleRuns } from './samples.ts';

/** A finished search, and the argv that writes the rungs. */
interface FoundLadder extends ChosenLadder {
  readonly ok: true;
  readonly argv: readonly string[];
}

/** Finds the rungs of a ladder by encoding samples of the inputs in several sizes. */
export async function searchLadder(
  c: PreparedRun,
  ladder: PlannedLadder,
  state: RunState,
): Promise<FoundLadder | Failed> {
  const { samples: planned, segmentSeconds } = ladder;
  const source = await readSource(c, planned, state);
  if ('ok' in source) return source;
  const inspected = await inspectFrame(c, { inspect: planned.inspect ?? [] }, state);
  if (!inspected.ok) return inspected;
  const { size: frame, pass } = inspected;
  const search: LadderSearch = { ...ladder, ...planned };
  const samples = ladderSamples(source.parts, segmentSeconds);
  const sizes = ladderSizes(frame);
  const expected = samples.length * (sizes.length + 1);
  const runs = new SampleRuns(c, planned, { samples, size: frame }, state, { choose: 'ladder', expected });
  const whole = { start: source.start, seconds: source.seconds, weight: 1 };
  const tried: SizedPoint[] = [];
  for (const [index, size] of sizes.entries()) {
    const ofSize = () =>
      triedPoints(
        search,
        runs.tries.filter((one) => one.size === size),
      );
    const tryAll = (values: readonly number[]) =>
      runs.run(
        values.map((value) => ({ size, value })),
        runs.samples,
        runs.samples[0]?.seconds === source.seconds ? runs.samples[0] : whole,
      );
    const failed = await tryAll(firstValues(search));
    if (failed !== undefined) return failed;
    // Only the largest size may have to come nearer to the source.
    const better = index === 0 ? betterValues(search, ofSize()) : undefined;
    const alsoFailed = better && (await tryAll(better));
    if (alsoFailed !== undefined) return alsoFailed;
    tried.push(...ofSize().map((point) => ({ ...size, ...point })));
    const found = ofSize().map(
      ({ value, score, bitsPerSecond }) => `${value} has ${score.toFixed(4)} at ${kilobits(bitsPerSecond)} kb/s`,
    );
    state.log.note(
      `Ladder, ${sizeName(size)}: ${METRIC_NAMES[planned.metric]} by ${planned.scale.option}: ${found.join(', ')}`,
    );
  }
  const kept = runs.samples.reduce((sum, { weight }) => sum + weight, 0);
  const [first] = runs.tries;
  const seconds = source.seconds * kept * (first === undefined ? 1 : first.seconds / first.sample.seconds);
  const hasAudio = ladder.audio === 'always' || (ladder.audio === 'found' && hasAudioIn(pass, ladder));
  const most = ladder.isSingleFile ? ladder.maxRungs : rungsThatFit({ seconds, segmentSeconds, hasAudio });
  if (typeof most !== 'number') return { ok: false, failure: most, raw: '' };
  const rungs = chooseRungs({ ...search, maxRungs: Math.min(most, ladder.maxRungs) }, runs.tries);
  for (const [index, { value, score, bitsPerSecond, ...size }] of rungs.entries())
    state.log.note(
      `Ladder, rung ${index + 1} of ${rungs.length}: ${sizeName(size)} with ${planned.scale.option} ${value}, about ${kilobits(bitsPerSecond)} kb/s and ${METRIC_NAMES[planned.metric]} ${score.toFixed(4)}`,
    );
  return { ok: true, rungs, tried, argv: ladderArgv(ladder, rungs, hasAudio) };
}

/** The most rungs whose files can be published, or why there are none. */
function rungsThatFit(length: OutputLength): number | Failure {
  const most = rungsOfFiles(MAX_OUTPUT_FILES, length);
  if (most >= LADDER_RUNGS.min) return most;
  return {
    code: 'UNSUPPORTED',
    message: `Even ${LADDER_RUNGS.min} rungs of this video would have more than ${MAX_OUTPUT_FILES} files, which is the most that can be published: each has about ${Math.ceil(length.seconds / length.segmentSeconds)} segments.`,
    fix: 'Send a longer "hls_time", or "hls_flags": "single_file".',
  };
}

/** Whether the inputs have audio that the ladder maps. */
function hasAudioIn({ report }: Pass, { pass: { audio } }: PlannedLadder): boolean {
  const [, input = '0', number = '0'] = /^(\d+):a:(\d+)$/.exec(audio[1] ?? '') ?? [];
  const streams = report.inputs[Number(input)]?.streams ?? [];
  return streams.filter(({ type }) => type === 'audio').length > Number(number);
}

/** Returns the argv that writes the rungs, the best first. */
export const ladderArgv = (
  { pass: { start, rung, audio, end }, segmentSeconds }: Pick<PlannedLadder, 'pass' | 'segmentSeconds'>,
  rungs: readonly SizedPoint[],
  hasAudio: boolean,
): readonly string[] => [
  ...start,
  ...rungArgs(rung, rungs, segmentSeconds),
  ...(hasAudio ? audio : []),
  ...fillArgv(end, { variants: variantsOfRungs(rungs.length, hasAudio) }),
];

/** The warning about a ladder above its limit. */
export function ladderWarnings(
  { maxBitrate = Number.POSITIVE_INFINITY }: Pick<PlannedLadder, 'maxBitrate'>,
  rungs: readonly SizedPoint[],
): readonly Warning[] {
  const least = Math.min(...rungs.map(({ bitsPerSecond }) => bitsPerSecond));
  if (least <= maxBitrate) return [];
  return [
    {
      field: '/ladder/maxBitrate',
      code: 'QUALITY_MISSED',
      message: `The ladder has one rung, of about ${kilobits(least)} kb/s: nothing that was tried has at most "maxBitrate" (${maxBitrate / 1000} kb/s).`,
      fix: `Send a "maxBitrate" of at least ${2 * least}, a lower "target", or a lower frame rate, such as "r": "15".`,
    },
  ];
}
