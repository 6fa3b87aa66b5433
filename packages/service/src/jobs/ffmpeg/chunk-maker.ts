import { createHash, type Hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { ChunkTemplates } from '@telecine/contract/domain/chunks.ts';
import { JobFailed } from '@telecine/contract/domain/failure.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import { probeChunk, readSourceIndex } from '@telecine/ffmpeg/analysis/chunk-probes.ts';
import {
  type ChunkTask,
  chunkTasks,
  planChunkJoin,
  planTask,
  taskFile,
  taskSpan,
} from '@telecine/ffmpeg/chunks/chunk-plans.ts';
import { cutChunks } from '@telecine/ffmpeg/chunks/cuts.ts';
import { CORES } from '@telecine/ffmpeg/sandbox/limits.ts';
import type { Toolchain } from '@telecine/ffmpeg/toolchain.ts';
import { type ChunkMaker, isWhole, type StagedPlan } from '../ports/chunk-maker.ts';
import type { ConverterFiles } from '../ports/media-store.ts';
import { runOf } from './conversions.ts';

/** What a `film` of `ChunkMaker` contains, as JSON. */
const readFilm = (film: string): ChunkTask => JSON.parse(film) as ChunkTask;

/** Creates the chunk maker of this machine. */
export function chunkMaker(
  tools: Toolchain & { readonly ffprobePath: string },
  files: ConverterFiles,
  limits: Parameters<typeof runOf>[2],
): ChunkMaker {
  const runOfStaged = ({ signal, ...staged }: StagedPlan) => ({
    ...runOf(tools, files, limits, {
      ...staged,
      signal,
      onCountable: () => undefined,
      waitForTurn: async () => undefined,
      onStart: () => undefined,
      onProgress: () => undefined,
      onFault: () => undefined,
    }),
    ffprobePath: tools.ffprobePath,
  });
  return {
    async keyOf({ plan, inputs }) {
      const hash = createHash('sha256').update(JSON.stringify([tools.build.key, plan.chunks]));
      for (const { hostPath } of files.mounts(inputs)) await addSamples(hash, hostPath);
      return hash.digest('base64url').slice(0, 22);
    },

    async cut(staged, secondsOf) {
      const planned = templatesOf(staged.plan);
      if (isWhole(planned)) return planned;
      const index = await readSourceIndex(runOfStaged(staged), planned);
      if (isWhole(index)) return index;
      const [tickSize, perSecond] = index.timeBase;
      const last = index.ticks.length - 1;
      const ticks = (index.ticks[last] ?? 0) - (index.ticks[0] ?? 0) + (index.durations[last] ?? 0);
      const lengthSeconds = (ticks * tickSize) / perSecond;
      const seconds = secondsOf(lengthSeconds);
      if (seconds === undefined) return { whole: 'The input is short, or only one worker can convert it.' };
      const run = cutChunks(planned, index, { seconds });
      if (isWhole(run)) return run;
      return { films: chunkTasks(planned, run, { threads: CORES, lengthSeconds }).map((task) => JSON.stringify(task)) };
    },

    chunkOf(plan, film) {
      const task = readFilm(film);
      const planned = mustHaveTemplates(plan);
      return { plan: planTask(plan, planned, task), name: taskFile(planned, task), ...taskSpan(task) };
    },

    async check(staged, film) {
      const { chunk } = readFilm(film);
      if (chunk === undefined) return { facts: '' };
      const facts = await probeChunk(runOfStaged(staged), mustHaveTemplates(staged.plan), chunk.index);
      return facts === undefined ? { whole: `Chunk ${chunk.index + 1} is damaged.` } : { facts: JSON.stringify(facts) };
    },

    join: (plan, films, facts) =>
      planChunkJoin(
        plan,
        mustHaveTemplates(plan),
        films.map(readFilm),
        facts.map((one) => (one === '' ? undefined : JSON.parse(one))),
      ),
  };
}

/** How many blocks of a file `addSamples` reads, and their size. */
const [BLOCKS, BLOCK_BYTES] = [16, 65_536];

/**
 * Adds the size of a file and blocks of its content to a hash, so that another content gives another hash without
 * reading gigabytes. The path and the times of the file differ between workers that have copied it.
 */
async function addSamples(hash: Hash, path: string): Promise<void> {
  await using file = await open(path);
  const { size } = await file.stat();
  hash.update(`${size} `);
  const block = Buffer.alloc(BLOCK_BYTES);
  for (let number = 0; number < BLOCKS; number++) {
    const position = Math.floor((Math.max(0, size - BLOCK_BYTES) * number) / (BLOCKS - 1));
    const { bytesRead } = await file.read(block, 0, BLOCK_BYTES, position);
    hash.update(block.subarray(0, bytesRead));
  }
}

const templatesOf = ({ chunks }: Plan): ChunkTemplates | { readonly whole: string } =>
  chunks ?? { whole: 'The conversion encodes no video.' };

/** Returns the templates of a plan. Throws if the plan runs whole, although chunks of it were stored. */
function mustHaveTemplates(plan: Plan): ChunkTemplates {
  const planned = templatesOf(plan);
  if (isWhole(planned)) throw new JobFailed({ code: 'UNSUPPORTED', message: planned.whole });
  return planned;
}
