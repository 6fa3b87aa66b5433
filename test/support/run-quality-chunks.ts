import type { Plan } from '../../packages/contract/src/domain/plan.ts';
import type { ChosenBySamples } from '../../packages/contract/src/domain/sampling.ts';
import { readChunk } from '../../packages/ffmpeg/src/analysis/chunk-probes.ts';
import type { PartFacts } from '../../packages/ffmpeg/src/chunks/checks.ts';
import { chunkParts, planChunkJoin, planPart } from '../../packages/ffmpeg/src/chunks/parts.ts';
import type { ConversionRun } from '../../packages/ffmpeg/src/run/conversion-run.ts';
import { runConversion } from '../../packages/ffmpeg/src/run/run.ts';
import { findBySamples } from '../../packages/ffmpeg/src/sampling/run/find-by-samples.ts';
import { cutSource } from './run-chunks.ts';

/** The run of a plan in the folder of the conversion. */
export type RunOfPlan = (plan: Plan) => ConversionRun;

export interface QualityInChunks {
  readonly chosen: ChosenBySamples;
  /** The seconds at which chunks begin. */
  readonly starts: readonly number[];
  readonly outcome: Awaited<ReturnType<typeof runConversion>>;
}

/** Runs a request with a quality target in chunks, one after the other. `dir` has the input. */
export async function runQualityChunks(
  dir: string,
  plan: Plan,
  { runOf, seconds }: { readonly runOf: RunOfPlan; readonly seconds: number },
): Promise<QualityInChunks> {
  const { chunks: planned } = plan;
  if (planned === undefined || 'whole' in planned) throw new Error(JSON.stringify(planned));
  const search = await findBySamples(runOf(plan));
  if (!search.ok) throw new Error(JSON.stringify(search));
  const { value: chosen } = search;
  const cut = await cutSource(dir, planned, seconds);
  if ('whole' in cut) throw new Error(cut.whole);
  const { seconds: lengthSeconds, ...run } = cut;
  const parts = chunkParts(planned, { ...run, chosen }, { threads: 1, lengthSeconds });
  const facts: PartFacts[] = [];
  for (const part of parts) {
    const ofPart = runOf(planPart(plan, planned, part));
    const outcome = await runConversion(ofPart);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome));
    const found = part.chunk && (await readChunk(ofPart, planned, part.chunk, outcome.encodedVideos[0] ?? []));
    if (found !== undefined) facts.push(found);
  }
  const joined = planChunkJoin(plan, planned, parts, facts);
  if ('whole' in joined) throw new Error(joined.whole);
  const starts = run.chunks.map(({ startMicros }) => startMicros / 1e6);
  return { chosen, starts, outcome: await runConversion(runOf(joined)) };
}
