import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { type ByteRange, joinRanges } from '@telecine/contract/domain/byte-ranges.ts';
import type { ChunkTemplates } from '@telecine/contract/domain/chunks.ts';
import { JobFailed } from '@telecine/contract/domain/failure.ts';
import type { OutputFrameSize } from '@telecine/contract/domain/frame-size.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import { probeChunk } from '@telecine/ffmpeg/analysis/chunk-probes.ts';
import type { ChunkFacts } from '@telecine/ffmpeg/chunks/chunk-checks.ts';
import {
  type ChunkPart,
  checkPart,
  familyIn,
  hasShare,
  isTrial,
  partFile,
  partSpan,
  partsToReplace,
  planChunkJoin,
  planPart,
} from '@telecine/ffmpeg/chunks/chunk-plans.ts';
import { withFrameSize } from '@telecine/ffmpeg/run/frame-size/fill-frame-size.ts';
import { findFrameSize } from '@telecine/ffmpeg/run/frame-size/find-frame-size.ts';
import type { Toolchain } from '@telecine/ffmpeg/toolchain.ts';
import { type ChunkMaker, type FrameSizeRuns, isWhole, type StagedPlan } from '../ports/chunk-maker.ts';
import type { ConverterFiles } from '../ports/media-store.ts';
import { runOf } from './conversions.ts';
import { AHEAD_BYTES, bytesToCut, cutInput } from './cut-input.ts';

const readPart = (part: string): ChunkPart => JSON.parse(part) as ChunkPart;

/** Reads what `check` found. undefined: the part has no video. */
const readFacts = (facts: string): ChunkFacts | undefined =>
  facts === '' ? undefined : (JSON.parse(facts) as ChunkFacts);

/**
 * Creates the chunk maker of this machine.
 *
 * @param aheadBytes Of an input with this many bytes, the first parts are cut while the rest is read.
 */
export function chunkMaker(
  tools: Toolchain & { readonly ffprobePath: string },
  files: ConverterFiles,
  limits: Parameters<typeof runOf>[2],
  aheadBytes = AHEAD_BYTES,
): ChunkMaker {
  const runOfStaged = (
    { signal, ...staged }: StagedPlan,
    runs?: Pick<FrameSizeRuns, 'waitForTurn' | 'onProgress'>,
  ) => ({
    ...runOf(tools, files, limits, {
      ...staged,
      signal,
      onCountable: () => undefined,
      waitForTurn: runs?.waitForTurn ?? (async () => undefined),
      onStart: () => undefined,
      onProgress: (progress) => runs?.onProgress(progress),
      onFault: () => undefined,
    }),
    ffprobePath: tools.ffprobePath,
  });
  /** Chooses the frame size of all chunks. undefined: the request does not ask for a choice. Throws `JobFailed`, and the reason of an abort. */
  async function frameSizeOf(
    { plan, ...staged }: StagedPlan,
    { onLog, ...runs }: FrameSizeRuns,
  ): Promise<OutputFrameSize | undefined> {
    const { texts: _, ...withoutTexts } = plan;
    const found = await findFrameSize(runOfStaged({ ...staged, plan: withoutTexts }, runs));
    if (found === undefined) return undefined;
    onLog(found.log);
    if (found.ok) return found.chosen;
    staged.signal.throwIfAborted();
    throw new JobFailed(found.failure, found.raw);
  }

  return {
    planKeyOf: ({ chunks }) =>
      digestOf(createHash('sha256').update(JSON.stringify([PARTS_FORMAT, tools.build.key, chunks]))),

    async inputKeyOf(inputs) {
      const hash = createHash('sha256');
      try {
        for (const { hostPath } of files.mounts(inputs)) await addSamples(hash, hostPath);
        for (const { version } of inputs) if (version !== undefined) hash.update(` ${version}`);
      } catch (cause) {
        throw new JobFailed({ code: 'STORAGE_FAULT', message: 'The storage failed while reading the input.' }, cause);
      }
      return digestOf(hash);
    },

    cut(staged, lengthsOf, { stored, onParts }) {
      const { plan, inputs, policy } = staged;
      const { duration = Number.POSITIVE_INFINITY, media = Number.POSITIVE_INFINITY } = policy;
      const [input] = inputs;
      // All parts have the frame size that is chosen when all are cut.
      const isAhead = plan.frameSize === undefined && input !== undefined && input.sizeBytes >= aheadBytes;
      return cutInput(runOfStaged(staged), {
        ...{ planned: mustHaveTemplates(plan), lengthsOf, mostSeconds: Math.min(duration, media) },
        fileBytes: isAhead ? input.sizeBytes : undefined,
        isIndexOnly: input?.isPartial === true,
        stored: stored.map(readPart),
        onParts: (parts, share) =>
          onParts(
            parts.map((part) => JSON.stringify(part)),
            share,
          ),
      });
    },

    async bytesToCut(input, copied) {
      const [mount] = files.mounts([input]);
      const bytes = mount && (await bytesToCut(mount.hostPath, input.sizeBytes, copied));
      return bytes && joinRanges([...bytes, ...blocksOf(input.sizeBytes)]);
    },

    isCut: (parts) => parts.map(readPart).some(({ chunk }) => chunk !== undefined && chunk.lengthMicros === undefined),

    async chooseFrameSize(staged, parts, runs) {
      const frameSize = await frameSizeOf(staged, runs);
      if (frameSize === undefined) return parts;
      return parts.map(readPart).map((part) => JSON.stringify({ ...part, run: { ...part.run, frameSize } }));
    },

    wholeOf(plan, part) {
      const { frameSize } = readPart(part).run;
      return frameSize === undefined ? plan : withFrameSize(plan, frameSize);
    },

    chunkOf(plan, text) {
      const part = readPart(text);
      const planned = mustHaveTemplates(plan);
      const bytes = part.chunk?.bytes;
      return {
        ...{ plan: planPart(plan, planned, part), name: partFile(planned, part), ...partSpan(part) },
        isTrial: isTrial(planned, part),
        hasShare: hasShare(part),
        ...(bytes && { bytes: joinRanges([...bytes.ranges, ...blocksOf(bytes.fileBytes)]) }),
      };
    },

    async check(staged, part) {
      const read = readPart(part);
      if (read.chunk === undefined) return { facts: '' };
      const { chunk, family } = read;
      const planned = mustHaveTemplates(staged.plan);
      const facts = await probeChunk(runOfStaged(staged), familyIn(planned, family), chunk);
      if (facts === undefined) return { whole: `Chunk ${chunk.index + 1} is damaged.` };
      return checkPart(planned, read, facts) ?? { facts: JSON.stringify(facts) };
    },

    partsToReplace(plan, parts, facts) {
      const replaced = partsToReplace(mustHaveTemplates(plan), parts.map(readPart), facts.map(readFacts));
      return isWhole(replaced) ? replaced : replaced.map(({ place, part }) => ({ place, part: JSON.stringify(part) }));
    },

    join: (plan, parts, facts) =>
      planChunkJoin(plan, mustHaveTemplates(plan), parts.map(readPart), facts.map(readFacts)),
  };
}

const digestOf = (hash: Hash): string => hash.digest('base64url').slice(0, 22);

/** Raised with each change of what parts are or where inputs are cut, so that no worker joins parts of different versions of Telecine. */
const PARTS_FORMAT = 6;

/** O_NOFOLLOW, O_NONBLOCK: another file may have replaced the input since it was staged. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** How many blocks of a file `addSamples` reads, and their size. */
const [BLOCKS, BLOCK_BYTES] = [16, 65_536];

/** The blocks of a file of this size that `addSamples` reads. */
const blocksOf = (size: number): readonly ByteRange[] =>
  Array.from({ length: BLOCKS }, (_, number) => {
    const from = Math.floor((Math.max(0, size - BLOCK_BYTES) * number) / (BLOCKS - 1));
    return [from, Math.min(from + BLOCK_BYTES, size)];
  });

/**
 * Adds the size of a file and blocks of its content to a hash, so that another content gives another hash without
 * reading gigabytes. The path and the times of the file differ between workers that have copied it.
 */
async function addSamples(hash: Hash, path: string): Promise<void> {
  await using file = await open(path, READ_FLAGS);
  const { size } = await file.stat();
  hash.update(`${size} `);
  const block = Buffer.alloc(BLOCK_BYTES);
  for (const [from, to] of blocksOf(size)) {
    const { bytesRead } = await file.read(block, 0, to - from, from);
    hash.update(block.subarray(0, bytesRead));
  }
}

/** Returns the templates of a plan. Throws if the plan runs whole, although chunks of it were stored. */
function mustHaveTemplates({ chunks }: Plan): ChunkTemplates {
  if (chunks === undefined || isWhole(chunks))
    throw new JobFailed({ code: 'UNSUPPORTED', message: 'The conversion cannot run in chunks.' });
  return chunks;
}
