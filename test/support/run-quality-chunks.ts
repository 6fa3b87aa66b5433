import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plan } from '../../packages/contract/src/domain/plan.ts';
import type { FoundValue, OutputQuality } from '../../packages/contract/src/domain/quality.ts';
import { readChunk } from '../../packages/ffmpeg/src/analysis/chunk-probes.ts';
import type { ChunkFacts } from '../../packages/ffmpeg/src/chunks/chunk-checks.ts';
import {
  type ChunkPart,
  chunkParts,
  familyIn,
  partsToReplace,
  planChunkJoin,
  planPart,
} from '../../packages/ffmpeg/src/chunks/chunk-plans.ts';
import type { ConversionRun } from '../../packages/ffmpeg/src/run/conversion-run.ts';
import { findValue } from '../../packages/ffmpeg/src/run/quality/find-value.ts';
import { runConversion } from '../../packages/ffmpeg/src/run/run.ts';
import { cutSource } from './run-chunks.ts';
import { tools } from './tools.ts';

/** The run of a plan in the folder of the conversion. */
export type RunOfPlan = (plan: Plan) => ConversionRun;

export interface QualityInChunks {
  readonly found: FoundValue;
  /** What each chunk measured at last. */
  readonly chunks: readonly OutputQuality[];
  /** The numbers of the chunks that were encoded again. */
  readonly again: readonly number[];
  readonly outcome: Awaited<ReturnType<typeof runConversion>>;
}

/**
 * Runs a request with a quality target in chunks, one after the other. `dir` has the input.
 *
 * @param change Changes the value that was found, to see what is done about it.
 */
export async function runQualityChunks(
  dir: string,
  plan: Plan,
  {
    runOf,
    seconds,
    change = (found) => found,
  }: {
    readonly runOf: RunOfPlan;
    readonly seconds: number;
    readonly change?: (found: FoundValue) => FoundValue;
  },
): Promise<QualityInChunks> {
  const { chunks: planned } = plan;
  if (planned === undefined || 'whole' in planned) throw new Error(JSON.stringify(planned));
  const search = await findValue(runOf(plan));
  if (search?.ok !== true) throw new Error(JSON.stringify(search));
  const quality = change(search.found);
  const cut = await cutSource(dir, planned, { seconds });
  if ('whole' in cut) throw new Error(cut.whole);
  const { seconds: lengthSeconds, ...run } = cut;
  const parts = [...chunkParts(planned, { ...run, quality }, { threads: 1, lengthSeconds })];
  const facts: (ChunkFacts | undefined)[] = [];
  const chunks: OutputQuality[] = [];
  const encode = async (place: number, part: ChunkPart): Promise<void> => {
    const run = runOf(planPart(plan, planned, part));
    await rm(join(dir, run.plan.outputs[0]?.logical ?? ''), { force: true });
    const outcome = await runConversion(run);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome));
    const [{ quality: ofChunk } = {}] = outcome.outputs;
    if (ofChunk !== undefined && part.chunk !== undefined) chunks[part.chunk.index] = ofChunk;
    const c = { ...run, ffprobePath: tools().ffprobePath };
    const found = part.chunk && (await readChunk(c, familyIn(planned, part.family), part.chunk, outcome.encodedVideos));
    const [measured] = ofChunk?.tried ?? [];
    facts[place] = found && { ...found, ...(measured && { quality: measured }) };
  };
  for (const [place, part] of parts.entries()) await encode(place, part);
  const again: number[] = [];
  for (;;) {
    const replaced = partsToReplace(planned, parts, facts, plan);
    if ('whole' in replaced) throw new Error(replaced.whole);
    if (replaced.length === 0) break;
    for (const { place, part } of replaced) {
      parts[place] = part;
      await encode(place, part);
      if (part.chunk !== undefined) again.push(part.chunk.index);
    }
  }
  const joined = planChunkJoin(plan, planned, parts, facts);
  if ('whole' in joined) throw new Error(joined.whole);
  return { found: search.found, chunks, again, outcome: await runConversion(runOf(joined)) };
}
