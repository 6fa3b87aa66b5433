import { createHash, type Hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { type ByteRange, joinRanges } from '@telecine/contract/domain/byte-ranges.ts';
import type { ChunkTemplates } from '@telecine/contract/domain/chunks.ts';
import { AttemptDeferred, JobFailed } from '@telecine/contract/domain/failure.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import { readChunk } from '@telecine/ffmpeg/analysis/chunk-probes.ts';
import { isFfprobeMissing } from '@telecine/ffmpeg/analysis/run-ffprobe.ts';
import { FFPROBE_FAULT, toolFault, toolsUnusable } from '@telecine/ffmpeg/catalogue/tool-faults.ts';
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
import { READ_FLAGS } from '@telecine/ffmpeg/process/regular-file.ts';
import { withChosen } from '@telecine/ffmpeg/sampling/fill-argv.ts';
import { findBySamples } from '@telecine/ffmpeg/sampling/run/find-by-samples.ts';
import type { Toolchain } from '@telecine/ffmpeg/toolchain.ts';
import { AHEAD_BYTES, type ChunkMaker, isWhole, type SampleRuns, type StagedPlan } from '../ports/chunk-maker.ts';
import type { ConverterFiles } from '../ports/media-store.ts';
import { runOf } from './conversions.ts';
import { bytesToCut, cutInput } from './cut-input.ts';

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
  const runOfStaged = ({ signal, ...staged }: StagedPlan, runs?: Pick<SampleRuns, 'waitForTurn' | 'onProgress'>) => ({
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
  /** Runs ffprobe. If that fails because ffprobe does not start, or ffmpeg was removed, throws AttemptDeferred: the input is not at fault. */
  const probing = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof JobFailed)) throw error;
      const fault = toolFault(tools) ?? (isFfprobeMissing(error.failure) ? FFPROBE_FAULT : undefined);
      throw fault === undefined ? error : new AttemptDeferred(toolsUnusable(fault), error);
    }
  };
  return {
    planKeyOf: ({ chunks, quality, frameSize }) => {
      // Chunks are encoded with the result of a search, so those for another target cannot be used. Without a target, the key is as in older versions.
      const targets = quality === undefined && frameSize === undefined ? [] : [quality ?? null, frameSize ?? null];
      const hashed = [PARTS_FORMAT, tools.build.key, chunks, ...targets];
      return digestOf(createHash('sha256').update(JSON.stringify(hashed)));
    },

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
      // All parts have what samples tell when all are cut.
      const isAhead =
        plan.frameSize === undefined &&
        plan.quality === undefined &&
        input !== undefined &&
        input.sizeBytes >= aheadBytes;
      const cut = cutInput(runOfStaged(staged), {
        ...{ planned: mustHaveTemplates(plan), mostSeconds: Math.min(duration, media) },
        lengthsOf,
        fileBytes: isAhead ? input.sizeBytes : undefined,
        isIndexOnly: input?.isPartial === true,
        stored: stored.map(readPart),
        onParts: (parts, share) =>
          onParts(
            parts.map((part) => JSON.stringify(part)),
            share,
          ),
      });
      return probing(cut);
    },

    async bytesToCut(input, copied) {
      const [mount] = files.mounts([input]);
      const bytes = mount && (await bytesToCut(mount.hostPath, input.sizeBytes, copied));
      return bytes && joinRanges([...bytes, ...blocksOf(input.sizeBytes)]);
    },

    isCut: (parts) => parts.map(readPart).some(({ chunk }) => chunk !== undefined && chunk.lengthMicros === undefined),

    async searchBySamples({ plan, ...staged }, parts, { onLog, ...runs }) {
      if (plan.frameSize === undefined && plan.quality === undefined) return parts;
      const { texts: _, ...withoutTexts } = plan;
      const found = await findBySamples(runOfStaged({ ...staged, plan: withoutTexts }, runs));
      onLog(found.log);
      if (!found.ok) {
        staged.signal.throwIfAborted();
        throw new JobFailed(found.failure, found.raw);
      }
      const { chosen } = found;
      return parts.map(readPart).map((part) => JSON.stringify({ ...part, run: { ...part.run, chosen } }));
    },

    wholeOf(plan, part) {
      const { frameSize } = readPart(part).run.chosen ?? {};
      return frameSize === undefined ? plan : withChosen(plan, { frameSize });
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

    async check(staged, part, { encodedVideos = [] }) {
      const read = readPart(part);
      if (read.chunk === undefined) return { facts: '' };
      const { chunk, family } = read;
      const planned = mustHaveTemplates(staged.plan);
      const found = await probing(readChunk(runOfStaged(staged), familyIn(planned, family), chunk, encodedVideos));
      if (found === undefined) return { whole: `Chunk ${chunk.index + 1} is damaged.` };
      return checkPart(planned, read, found) ?? { facts: JSON.stringify(found) };
    },

    partsToReplace(plan, parts, facts) {
      const replaced = partsToReplace(mustHaveTemplates(plan), parts.map(readPart), facts.map(readFacts), plan);
      return isWhole(replaced) ? replaced : replaced.map(({ place, part }) => ({ place, part: JSON.stringify(part) }));
    },

    join: (plan, parts, facts) =>
      planChunkJoin(plan, mustHaveTemplates(plan), parts.map(readPart), facts.map(readFacts)),
  };
}

const digestOf = (hash: Hash): string => hash.digest('base64url').slice(0, 22);

/** Raised with each change of what parts or facts are, or where inputs are cut, so that no worker joins parts of different versions of Telecine. */
const PARTS_FORMAT = 10;

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
