import { createHash, type Hash } from 'node:crypto';
import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChunkTemplates, WholeReason } from '@telecine/contract/domain/chunks.ts';
import { AttemptDeferred, JobFailed } from '@telecine/contract/domain/failure.ts';
import type { Plan, Warning } from '@telecine/contract/domain/plan.ts';
import type { ChosenBySamples } from '@telecine/contract/domain/sampling.ts';
import { runSteps } from '@telecine/contract/domain/steps.ts';
import { readChunk, readFileStarts, readSourceFrames } from '@telecine/ffmpeg/analysis/chunk-probes.ts';
import { type EncodedPart, joinedWarnings } from '@telecine/ffmpeg/analysis/compare-joined.ts';
import { isFfprobeMissing } from '@telecine/ffmpeg/analysis/run-ffprobe.ts';
import { FFPROBE_FAULT, toolFault, toolsUnusable } from '@telecine/ffmpeg/catalogue/tool-faults.ts';
import { withChosenValues } from '@telecine/ffmpeg/chunks/argvs.ts';
import { checkChunk, checkJoined, type PartFacts } from '@telecine/ffmpeg/chunks/checks.ts';
import { cutAtKeyFrames } from '@telecine/ffmpeg/chunks/cuts.ts';
import { isManifestMuxer } from '@telecine/ffmpeg/chunks/manifest-options.ts';
import { type ChunkPart, chunkParts, partFile, partStart } from '@telecine/ffmpeg/chunks/parts.ts';
import { READ_FLAGS } from '@telecine/ffmpeg/process/regular-file.ts';
import { faultGuard } from '@telecine/ffmpeg/rules/rule.ts';
import type { ConversionRun } from '@telecine/ffmpeg/run/conversion-run.ts';
import { findBySamples, tryOneSample } from '@telecine/ffmpeg/sampling/run/find-by-samples.ts';
import type { SampleTask, TryEach } from '@telecine/ffmpeg/sampling/run/try-samples.ts';
import { CORES } from '@telecine/ffmpeg/sandbox/limits.ts';
import type { Toolchain } from '@telecine/ffmpeg/toolchain.ts';
import type { LengthOf } from '../../chunk-length.ts';
import type { ConvertedOutputs, Converter } from '../../ports/ffmpeg.ts';
import type { ConverterFiles, StagedInput } from '../../ports/media-store.ts';

type ConverterTask = Parameters<Converter>[0];

/** A staged conversion on this machine. */
export type StagedPlan = Pick<ConverterTask, 'plan' | 'policy' | 'scratch' | 'inputs' | 'signal'>;

export const isWhole = <T extends object>(result: T | WholeReason): result is WholeReason => 'whole' in result;

/** The most chunks of a job. Each costs a start of ffmpeg and rows in the database. */
const MAX_CHUNKS = 500;

/** The least length of chunks that keep an average bit rate: their warm-up then takes a fifteenth of the time. */
const WARMED_UP_SECONDS = 60;

/** What chunks need of this machine, and of its ffmpeg. */
interface MachineOfChunks {
  readonly tools: Pick<Toolchain, 'build' | 'sandbox'> & { readonly ffprobePath: string };
  readonly files: Pick<ConverterFiles, 'mounts'>;
  readonly runOf: (task: ConverterTask) => ConversionRun;
}

export type ChunkMaker = ReturnType<typeof chunkMaker>;

/** Creates what cuts, searches and checks conversions in chunks with the ffmpeg of this machine. */
export function chunkMaker({ tools, files, runOf }: MachineOfChunks) {
  const runOfStaged = (staged: StagedPlan, own: Partial<ConverterTask> = {}) => ({
    ...runOf({
      ...{ onCountable: () => undefined, onStart: () => undefined, onProgress: () => undefined },
      ...{ waitForTurn: async () => undefined, onFault: () => undefined },
      ...{ ...own, ...staged },
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
    /** Identifies the build of ffmpeg and the plan. All chunks of a job must be made with the same key. */
    planKeyOf({ chunks, search }: Plan): string {
      // Chunks are encoded with the result of a search, so those for another target cannot be used.
      return digestOf(
        createHash('sha256').update(JSON.stringify([PARTS_FORMAT, tools.build.key, chunks, search ?? null])),
      );
    },

    /** Identifies the content and the version of staged files. All chunks of a job must be made with the same key. Throws `JobFailed`. */
    async inputKeyOf(inputs: readonly StagedInput[]): Promise<string> {
      const hash = createHash('sha256');
      try {
        for (const { hostPath } of files.mounts(inputs)) await addSamples(hash, hostPath);
        for (const { version } of inputs) if (version !== undefined) hash.update(` ${version}`);
      } catch (cause) {
        throw new JobFailed({ code: 'STORAGE_FAULT', message: 'The storage failed while reading the input.' }, cause);
      }
      return digestOf(hash);
    },

    /** Reads the frames of the staged input, and cuts it. Resolves to the parts in order, or to the reason if the conversion must run whole. */
    async cut(staged: StagedPlan, lengthOf: LengthOf): Promise<readonly ChunkPart[] | WholeReason> {
      const { plan, policy, signal } = staged;
      const { duration = Number.POSITIVE_INFINITY, media = Number.POSITIVE_INFINITY } = policy;
      const planned = templatesOf(plan);
      const source = await probing(readSourceFrames(runOfStaged(staged), planned));
      if (isWhole(source)) return source;
      const { lengthSeconds } = source;
      const seconds = lengthOf(lengthSeconds);
      if (typeof seconds !== 'number') return seconds;
      // Without chunks, the run fails as soon as it exceeds the limit. In chunks, the limit would show only after all are encoded.
      if (lengthSeconds > Math.min(duration, media))
        return { whole: 'The input is longer than the client may convert.' };
      const least = planned.warmUpSeconds === undefined ? 0 : WARMED_UP_SECONDS;
      const cut = cutAtKeyFrames(planned, source, Math.max(seconds, least, lengthSeconds / MAX_CHUNKS));
      const run = await runSteps(cut, signal);
      return isWhole(run) ? run : chunkParts(planned, run, { threads: CORES, lengthSeconds });
    },

    /**
     * Finds by samples what all chunks have in common. undefined: there is no choice. Throws `JobFailed`, and the reason of an abort. `tryEach` may
     * throw `JobFailed`. `onProgress` gets the percentage of the search itself.
     */
    async search(
      staged: StagedPlan,
      { onLog, ...own }: Pick<ConverterTask, 'waitForTurn' | 'onProgress'> & { readonly onLog: (log: string) => void },
      tryEach: TryEach,
    ): Promise<ChosenBySamples | undefined> {
      if (staged.plan.search === undefined) return undefined;
      const found = await findBySamples(runOfStaged(withoutTexts(staged), own), tryEach);
      onLog(found.log);
      if (found.ok) return found.value;
      staged.signal.throwIfAborted();
      throw new JobFailed(found.failure, found.raw);
    },

    /** Tries a sample of a search. */
    trySample: (task: StagedPlan & Partial<ConverterTask>, sample: SampleTask) =>
      tryOneSample(runOfStaged(withoutTexts(task), task), sample),

    /**
     * Reads what all chunks must have in common from an encoded part in `pass/` of the scratch folder. Resolves to a reason if the part is not as
     * planned.
     *
     * @param outcome Of its run.
     */
    async check(
      staged: StagedPlan,
      part: ChunkPart,
      { encodedVideos: [videos = []] = [], outputs: [output] }: Pick<ConvertedOutputs, 'encodedVideos' | 'outputs'>,
    ): Promise<PartFacts | WholeReason> {
      const { chunk } = part;
      const planned = withChosenValues(templatesOf(staged.plan), part.run);
      const run = runOfStaged(staged);
      const isFirst = chunk === undefined || chunk.index === 0;
      const starts = isFirst ? await readFileStarts(run, `pass/${partFile(planned, part)}`) : {};
      if (starts === undefined) return { whole: 'ffprobe does not tell when the streams of a part begin.' };
      const start = partStart(planned, part, starts);
      if (chunk === undefined) return { seconds: output?.durationSeconds, start };
      const found = await readChunk(run, planned, chunk, videos);
      if (found === undefined) return { whole: `Chunk ${chunk.index + 1} is damaged.` };
      return checkChunk(planned, chunk, found) ?? { ...found, ...(start !== undefined && { start }) };
    },

    /** Returns the reason if the joined outputs are not as their parts. */
    async checkJoined(
      staged: StagedPlan,
      parts: readonly ChunkPart[],
      facts: readonly PartFacts[],
      { encodedVideos = [], outputs }: Pick<ConvertedOutputs, 'encodedVideos' | 'outputs'>,
    ): Promise<WholeReason | undefined> {
      const [{ run } = { run: { hasRest: [] } }] = parts;
      const planned = withChosenValues(templatesOf(staged.plan), run);
      const audioDelays: (number | 'segments' | undefined)[] = [];
      for (const { logical, muxer } of staged.plan.outputs) {
        const isOneFile = !isManifestMuxer(muxer);
        const { video, audio } = (isOneFile && (await readFileStarts(runOfStaged(staged), logical))) || {};
        const delay = video === undefined || audio === undefined ? undefined : audio - video;
        audioDelays.push(isOneFile ? delay : 'segments');
      }
      const seconds = outputs.map(({ durationSeconds }) => durationSeconds);
      return checkJoined(planned, parts, facts, { seconds, audioDelays, videos: encodedVideos });
    },

    /** Removes the files that a join has written and read, so that the conversion can run whole in the same folder, with the space of these files. */
    async removeJoined(staged: StagedPlan): Promise<void> {
      const { dir, plan } = runOfStaged(staged);
      // The folder itself stays, because the service has opened it.
      const written = (await readdir(join(dir, 'out'))).map((name) => join('out', name));
      const texts = (plan.texts ?? []).map(({ logical }) => logical);
      // `pass` has links to the files of chunks, which keep the space of these files until the job ends.
      for (const name of [...written, ...texts, 'pass']) await rm(join(dir, name), { recursive: true, force: true });
    },

    /** Warns about what the joined outputs lack of the source. */
    compareJoined: (
      plan: Plan,
      encoded: readonly EncodedPart[],
      { inputs = [], outputs }: Pick<ConvertedOutputs, 'inputs' | 'outputs'>,
    ): readonly Warning[] => joinedWarnings(plan, templatesOf(plan), encoded, { inputs, outputs }, faultGuard()),
  };
}

/** The text files are written once, by the run of the outputs. */
const withoutTexts = ({ plan: { texts: _, ...plan }, ...staged }: StagedPlan): StagedPlan => ({ ...staged, plan });

const digestOf = (hash: Hash): string => hash.digest('base64url').slice(0, 22);

/** Raised with each change of what parts or facts are, or where inputs are cut, so that no worker joins parts of different versions of Telecine. */
const PARTS_FORMAT = 16;

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
export function templatesOf({ chunks }: Plan): ChunkTemplates {
  if (chunks === undefined || isWhole(chunks))
    throw new JobFailed({ code: 'UNSUPPORTED', message: 'The conversion cannot run in chunks.' });
  return chunks;
}
