import type { ByteRange } from '@telecine/contract/domain/byte-ranges.ts';
import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import { JobFailed } from '@telecine/contract/domain/failure.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { fileInputs, inspected, type Plan, type PlannedInput } from '@telecine/contract/domain/plan.ts';
import { v7 as uuid } from 'uuid';
import { AHEAD_BYTES, isWhole, type LengthsOf } from '../../ports/chunk-maker.ts';
import type { Claim } from '../../ports/job-store.ts';
import type { InputStaging, Scratch, ScratchSpace, StagedInput } from '../../ports/media-store.ts';
import { checkInputSize, fetchDeadline } from '../attempt-failures.ts';
import { retryWhileUnavailable } from '../outage-retries.ts';
import { countedSeconds, writeTask } from './chunk-task.ts';
import { type ChunkedConversion, type ChunkedDeps, storeChunks } from './convert-in-chunks.ts';

export type CutFromIndexDeps = ChunkedDeps & { readonly media: ScratchSpace & InputStaging };

/** A claimed job whose inputs are not staged yet. */
export interface JobToCut {
  readonly claim: Claim;
  readonly plan: Plan;
  readonly policy: ClientLimits;
  readonly root: MediaRoot;
  readonly lengthsOf: LengthsOf;
  readonly needs: ChunkedConversion['needs'];
  readonly signal: AbortSignal;
}

/** The beginning of an MP4 file that shows which of its bytes are needed next. */
const FIRST_BYTES: ByteRange = [0, 65_536];

/** How often bytes are copied. The index of most files is found in three steps. */
const MOST_STEPS = 8;

/**
 * Cuts an input in a bucket or at a URL by its index, before this worker copies all of it, so that other workers encode the first
 * chunks meanwhile. Resolves to true if all chunks are stored. If it fails, the input is cut when it is copied. Throws only
 * the reason of an abort.
 */
export async function cutFromIndex(deps: CutFromIndexDeps, job: JobToCut): Promise<boolean> {
  const { claim, plan, signal } = job;
  const [input, ...others] = fileInputs(plan.inputs);
  const mayCut = input !== undefined && others.length === 0 && input.sequence === undefined;
  // Plans that depend on the content of the input need it whole. A repeated job may take over the chunks of the earlier one.
  const isPlain =
    inspected(plan) === undefined &&
    plan.frameSize === undefined &&
    plan.quality === undefined &&
    claim.job.retryOf === undefined;
  const isCopied = input?.url !== undefined || deps.media.fillInput !== undefined;
  if (!mayCut || !isPlain || !isCopied || plan.chunks === undefined || isWhole(plan.chunks)) return false;
  try {
    return await cut(deps, job, input);
  } catch (error) {
    signal.throwIfAborted();
    // Staging the whole input reports what is wrong with it.
    if (!(error instanceof JobFailed)) deps.onInternalError(claim.job.jobId, error);
    return false;
  }
}

async function cut(deps: CutFromIndexDeps, job: JobToCut, { url, path }: PlannedInput): Promise<boolean> {
  const { media, chunks } = deps;
  const { claim, signal } = job;
  if ((await retryWhileUnavailable(() => chunks.list(claim.job.jobId), signal)).length > 0) return false;
  const version = url === undefined ? {} : await media.checkRanges?.({ url, path }, { signal });
  if (version === undefined || isWhole(version)) return false;
  const scratch = await media.openScratch(uuid(), 1);
  try {
    const staged = await stageIndex(deps, job, scratch, version);
    return staged !== undefined && (await storeParts(deps, job, { ...staged, scratch, version }));
  } finally {
    await media.discard(scratch).catch((error) => deps.onInternalError(claim.job.jobId, error));
  }
}

/** Copies the bytes of an input that show where to cut it. undefined: it is small, not copied, or needed whole. */
async function stageIndex(
  { media, chunkMaker }: CutFromIndexDeps,
  { plan, policy, root, signal }: JobToCut,
  scratch: Scratch,
  version: { readonly version?: string },
): Promise<{ readonly inputs: readonly StagedInput[] } | undefined> {
  const maker = await chunkMaker();
  let bytes: readonly ByteRange[] = [FIRST_BYTES];
  for (let step = 0; step < MOST_STEPS; step++) {
    const inputs = await media.stage(root, scratch, fileInputs(plan.inputs), [], {
      ...{ signal, bytes, ...version, ...fetchDeadline(policy) },
      checkSizes: (sizes) => checkInputSize(sizes, policy),
    });
    const [input] = inputs;
    if (input?.isPartial !== true || input.sizeBytes < AHEAD_BYTES) return undefined;
    const needed = await maker.bytesToCut(input, bytes);
    if (needed === undefined) return undefined;
    if (JSON.stringify(needed) === JSON.stringify(bytes)) return { inputs };
    bytes = needed;
  }
  return undefined;
}

interface StagedIndex {
  readonly inputs: readonly StagedInput[];
  readonly scratch: Scratch;
  readonly version: { readonly version?: string };
}

/** Cuts the input, and stores its chunks. Resolves to false if none would be shared. */
async function storeParts(
  deps: CutFromIndexDeps,
  { claim, plan, policy, lengthsOf, needs, signal }: JobToCut,
  { version, ...files }: StagedIndex,
): Promise<boolean> {
  const maker = await deps.chunkMaker();
  const staged = { plan, policy, signal, ...files };
  const keys = { planKey: maker.planKeyOf(plan), inputKey: await maker.inputKeyOf(files.inputs) };
  const parts: string[] = [];
  const reason = await maker.cut(staged, lengthsOf, { stored: [], onParts: (cut) => void parts.push(...cut) });
  const planned = parts.map((part) => ({ part, chunk: maker.chunkOf(plan, part) }));
  if (reason !== undefined || planned.every(({ chunk }) => chunk.bytes === undefined)) return false;
  const tasks = planned.map(({ part, chunk }, place) => ({
    ...{ place, task: writeTask({ ...keys, ...version, part, ...countedSeconds(chunk) }) },
  }));
  await storeChunks(deps, { claim, needs, staged, maker }, tasks, 'needing all');
  const { jobId, clientId } = claim.job;
  deps.changes.publish({ kind: 'released', jobId, clientId });
  return true;
}
