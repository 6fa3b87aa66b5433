import type { ChunkTemplates } from '@telecine/contract/domain/chunks.ts';
import { type Plan, planOfOutput, type Warning } from '@telecine/contract/domain/plan.ts';
import { withChosenValues } from '../chunks/argvs.ts';
import type { ChunkPart } from '../chunks/parts.ts';
import { RunComplaintReader } from '../log/run-complaints.ts';
import type { FinishedPass, TakenStreams } from '../rules/facts/pass.ts';
import { resultWarnings, warningsOfRun } from '../rules/find-warnings.ts';
import type { FaultGuard } from '../rules/rule.ts';
import type { RunOutcome } from '../run/conversion-run.ts';

/** A part that was encoded. `taken`: what its run took from the source. undefined: text of the media may have forged its log. */
export interface EncodedPart {
  readonly part: ChunkPart;
  readonly taken: TakenStreams | undefined;
}

/** Compares the outputs of a join with the source, as if one run had encoded them. Returns nothing if a log may be forged. */
export function joinedWarnings(
  plan: Plan,
  templates: ChunkTemplates,
  encoded: readonly EncodedPart[],
  { inputs: [source], outputs }: Pick<Extract<RunOutcome, { ok: true }>, 'inputs' | 'outputs'>,
  guard: FaultGuard,
): readonly Warning[] {
  const first = encoded.find(({ part }) => part.chunk?.index === 0);
  if (first === undefined || source === undefined || encoded.some(({ taken }) => taken === undefined)) return [];
  const planned = withChosenValues(templates, first.part.run);
  const found = plan.outputs.map((_, index) => {
    const { videos = [] } = planned.outputs[index] ?? {};
    const rest = encoded.find(({ part }) => part.chunk === undefined && part.output === index)?.taken;
    const [video, others] = [renumbered(first.taken, 0, videos), renumbered(rest, videos.length)];
    const pass: FinishedPass = {
      plan: planOfOutput(plan, index),
      inputs: [source],
      used: [...video.used, ...others.used],
      outputStreams: [...video.streams, ...others.streams],
      outputTraits: new Map([...video.traits, ...others.traits]),
      ...{ frameData: first.taken?.frameData, isLoud: rest?.isLoud },
      ...{ complaints: new RunComplaintReader().found, lastBlock: undefined, segments: 0, playlistWrites: 0 },
      ...{ writtenSeconds: outputs[index]?.durationSeconds, soundSeconds: undefined },
    };
    return guard(() => resultWarnings(pass, guard), []);
  });
  return guard(() => warningsOfRun(plan, found), found.flat());
}

const NOTHING: TakenStreams = { used: [], streams: [], traits: [] };

/**
 * What a part took, with the numbers that its streams have in the output.
 *
 * @param first The number of the first of them.
 * @param kept The numbers in the part of those that get into the output. Default: all.
 */
function renumbered(
  { used, streams, traits }: TakenStreams = NOTHING,
  first: number,
  kept: readonly number[] = streams.map(({ index }) => index),
): TakenStreams {
  const numberOf = (index: number): number => first + kept.indexOf(index);
  return {
    used: used.flatMap(({ output, ...one }) =>
      output === undefined ? [one] : kept.includes(output) ? [{ ...one, output: numberOf(output) }] : [],
    ),
    streams: kept
      .flatMap((index) => streams.filter((one) => one.index === index))
      .map((one) => ({ ...one, index: numberOf(one.index) })),
    traits: traits.flatMap(([index, one]) => (kept.includes(index) ? [[numberOf(index), one] as const] : [])),
  };
}
