import type { Failure } from '@telecine/contract/domain/failure.ts';
import { LADDER_RUNGS } from '@telecine/contract/domain/ladder.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { MAX_OUTPUT_FILES } from '@telecine/contract/domain/planned-files.ts';
import { METRIC_NAMES } from '@telecine/contract/domain/quality.ts';
import type { ChosenLadder, PlannedLadder, SizedPoint } from '@telecine/contract/domain/sampling.ts';
import type { PreparedRun } from '../../run/conversion-run.ts';
import type { Pass } from '../../run/pass.ts';
import type { Failed } from '../../run/run-pass.ts';
import type { RunState } from '../../run/run-state.ts';
import { chooseRungs, ladderSamples, ladderSizes, rungsOfFiles, triedValues } from '../choosers/ladder.ts';
import { triedPoints } from '../choosers/quality.ts';
import { kilobits, sizeName } from '../choosers/sizes.ts';
import { ladderArgv } from '../fill-argv.ts';
import { type Chooser, readSource, trySamples } from './try-samples.ts';

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
  const { samples: planned, segmentSeconds, maxRungs } = ladder;
  const source = await readSource(c, planned, state);
  if ('ok' in source) return source;
  const most = ladder.isSingleFile ? maxRungs : Math.min(maxRungs, rungsOfFiles(source.seconds, segmentSeconds));
  if (most < LADDER_RUNGS.min) return { ok: false, failure: TOO_MANY_FILES, raw: '' };
  const search = { ...ladder, ...planned, maxRungs: most };
  const sizes = ladderSizes(source.size);
  const chooser: Chooser = {
    ...{ choose: 'ladder', samples: ladderSamples(source.parts, segmentSeconds), usualRounds: sizes.length },
    next: (samples, _tries, round) => {
      const size = sizes[round];
      return size && { samples, candidates: triedValues(search, round === 0).map((value) => ({ size, value })) };
    },
  };
  const tries = await trySamples(c, planned, chooser, source, state);
  if ('ok' in tries) return tries;
  const tried = sizes.flatMap((size) => {
    const ofSize = tries.filter((one) => one.size === size);
    return triedPoints(search, ofSize).map((point) => ({ ...size, ...point }));
  });
  const rungs = chooseRungs(search, tries);
  const note = (what: string, { value, score, bitsPerSecond, ...size }: SizedPoint): void =>
    state.log.note(
      `Ladder, ${what}: ${sizeName(size)} with ${planned.scale.option} ${value} has ${METRIC_NAMES[planned.metric]} ${score.toFixed(4)} at ${kilobits(bitsPerSecond)} kb/s`,
    );
  for (const point of tried) note('samples', point);
  for (const [index, rung] of rungs.entries()) note(`rung ${index + 1} of ${rungs.length}`, rung);
  const hasAudio = ladder.isAudioOptional !== true || hasAudioIn(source.pass, ladder);
  return { ok: true, rungs, tried, argv: ladderArgv(ladder, rungs, hasAudio) };
}

const TOO_MANY_FILES: Failure = {
  code: 'UNSUPPORTED',
  message: `Even ${LADDER_RUNGS.min} rungs of this video would have more than ${MAX_OUTPUT_FILES} files, which is the most that can be published.`,
  fix: 'Send a longer "hls_time", or "hls_flags": "single_file".',
};

/** Whether the inputs have audio that the ladder maps. */
function hasAudioIn({ report }: Pass, { pass: { audioMap = '' } }: PlannedLadder): boolean {
  const [, input = '0', number = '0'] = /^(\d+):a:(\d+)$/.exec(audioMap) ?? [];
  const streams = report.inputs[Number(input)]?.streams ?? [];
  return streams.filter(({ type }) => type === 'audio').length > Number(number);
}

/** The warning about a ladder above its limit. */
export function ladderWarnings(
  { maxBitrate = Number.POSITIVE_INFINITY }: Pick<PlannedLadder, 'maxBitrate'>,
  rungs: readonly Pick<SizedPoint, 'bitsPerSecond'>[],
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
