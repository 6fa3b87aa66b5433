import { createHash, type Hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { ChunkTemplates } from '@telecine/contract/domain/chunks.ts';
import { AttemptDeferred, JobFailed } from '@telecine/contract/domain/failure.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import { runSteps } from '@telecine/contract/domain/steps.ts';
import { readChunk, readSourceFrames } from '@telecine/ffmpeg/analysis/chunk-probes.ts';
import { isFfprobeMissing } from '@telecine/ffmpeg/analysis/run-ffprobe.ts';
import { FFPROBE_FAULT, toolFault, toolsUnusable } from '@telecine/ffmpeg/catalogue/tool-faults.ts';
import { type ChunkFacts, checkChunk, checkJoined } from '@telecine/ffmpeg/chunks/checks.ts';
import { cutAtKeyFrames } from '@telecine/ffmpeg/chunks/cuts.ts';
import {
  type ChunkPart,
  chunkParts,
  partFile,
  partSpan,
  planChunkJoin,
  planPart,
} from '@telecine/ffmpeg/chunks/parts.ts';
import { READ_FLAGS } from '@telecine/ffmpeg/process/regular-file.ts';
import { withChosen } from '@telecine/ffmpeg/sampling/fill-argv.ts';
import { findBySamples } from '@telecine/ffmpeg/sampling/run/find-by-samples.ts';
import { CORES } from '@telecine/ffmpeg/sandbox/limits.ts';
import type { Toolchain } from '@telecine/ffmpeg/toolchain.ts';
import { type ChunkMaker, isWhole, type SampleRuns, type StagedPlan } from '../ports/chunk-maker.ts';
import type { ConverterFiles } from '../ports/media-store.ts';
import { runOf } from './conversions.ts';

const readPart = (part: string): ChunkPart => JSON.parse(part) as ChunkPart;

/** What is kept of an output without its videos: its length. */
interface RestFacts {
  readonly seconds?: number;
}

/** Reads what `check` found. */
const readFacts = (facts: string): ChunkFacts | RestFacts => JSON.parse(facts) as ChunkFacts | RestFacts;

const ofChunks = (facts: readonly string[]): readonly ChunkFacts[] =>
  facts.map(readFacts).filter((found) => 'frames' in found);

/** The most chunks of a job. Each costs a start of ffmpeg and rows in the database. */
const MAX_CHUNKS = 500;

/** Creates the chunk maker of this machine. */
export function chunkMaker(
  tools: Toolchain & { readonly ffprobePath: string },
  files: ConverterFiles,
  limits: Parameters<typeof runOf>[2],
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
      // Chunks are encoded with the result of a search, so those for another target cannot be used.
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

    async cut(staged, lengthOf) {
      const { plan, policy, signal } = staged;
      const { duration = Number.POSITIVE_INFINITY, media = Number.POSITIVE_INFINITY } = policy;
      const planned = mustHaveTemplates(plan);
      const source = await probing(readSourceFrames(runOfStaged(staged), planned));
      if (isWhole(source)) return source;
      const { lengthSeconds } = source;
      const seconds = lengthOf(lengthSeconds);
      if (typeof seconds !== 'number') return seconds;
      // Without chunks, the run fails as soon as it exceeds the limit. In chunks, the limit would show only after all are encoded.
      if (lengthSeconds > Math.min(duration, media))
        return { whole: 'The input is longer than the client may convert.' };
      const cut = cutAtKeyFrames(planned, source, Math.max(seconds, lengthSeconds / MAX_CHUNKS));
      const run = await runSteps(cut, signal);
      if (isWhole(run)) return run;
      return chunkParts(planned, run, { threads: CORES, lengthSeconds }).map((part) => JSON.stringify(part));
    },

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
      return { plan: planPart(plan, planned, part), name: partFile(planned, part), ...partSpan(part) };
    },

    async check(staged, part, { encodedVideos = [], outputs: [output] }) {
      const { chunk } = readPart(part);
      if (chunk === undefined) return { facts: JSON.stringify({ seconds: output?.durationSeconds }) };
      const planned = mustHaveTemplates(staged.plan);
      const found = await readChunk(runOfStaged(staged), planned, chunk, encodedVideos);
      if (found === undefined) return { whole: `Chunk ${chunk.index + 1} is damaged.` };
      return checkChunk(planned, chunk, found) ?? { facts: JSON.stringify(found) };
    },

    join: (plan, parts, facts) => planChunkJoin(plan, mustHaveTemplates(plan), parts.map(readPart), ofChunks(facts)),

    checkJoined(plan, parts, facts, { outputs, encodedVideos = [] }) {
      const all = parts.map(readPart);
      const restSeconds: (number | undefined)[] = [];
      for (const [at, part] of all.entries())
        if (part.chunk === undefined) restSeconds[part.output] = (readFacts(facts[at] ?? '{}') as RestFacts).seconds;
      return checkJoined(mustHaveTemplates(plan), {
        chunks: all.flatMap(({ chunk }) => chunk ?? []),
        facts: ofChunks(facts),
        lengthSeconds: all[0]?.lengthSeconds ?? 0,
        restSeconds,
        outputSeconds: outputs.map(({ durationSeconds }) => durationSeconds),
        joined: encodedVideos,
      });
    },
  };
}

const digestOf = (hash: Hash): string => hash.digest('base64url').slice(0, 22);

/** Raised with each change of what parts or facts are, or where inputs are cut, so that no worker joins parts of different versions of Telecine. */
const PARTS_FORMAT = 11;

/** How many blocks of a file `addSamples` reads, and their size. */
const [BLOCKS, BLOCK_BYTES] = [16, 65_536];

/**
 * Adds the size of a file and blocks of its content to a hash, so that another content gives another hash without
 * reading gigabytes. The path and the times of the file differ between workers that have copied it.
 */
async function addSamples(hash: Hash, path: string): Promise<void> {
  await using file = await open(path, READ_FLAGS);
  const { size } = await file.stat();
  hash.update(`${size} `);
  const block = Buffer.alloc(BLOCK_BYTES);
  for (let number = 0; number < BLOCKS; number++) {
    const from = Math.floor((Math.max(0, size - BLOCK_BYTES) * number) / (BLOCKS - 1));
    const { bytesRead } = await file.read(block, 0, BLOCK_BYTES, from);
    hash.update(block.subarray(0, bytesRead));
  }
}

/** Returns the templates of a plan. Throws if the plan runs whole, although chunks of it were stored. */
function mustHaveTemplates({ chunks }: Plan): ChunkTemplates {
  if (chunks === undefined || isWhole(chunks))
    throw new JobFailed({ code: 'UNSUPPORTED', message: 'The conversion cannot run in chunks.' });
  return chunks;
}
