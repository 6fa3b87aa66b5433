import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ChunkedRun, ChunkTemplates } from '../../packages/contract/src/domain/chunks.ts';
import type { Plan } from '../../packages/contract/src/domain/plan.ts';
import { chunkArgv, joinOfChunks, restArgv } from '../../packages/ffmpeg/src/chunks/chunk-argvs.ts';
import {
  type ChunkFacts,
  checkChunks,
  chunkProbeArgs,
  readChunkFacts,
} from '../../packages/ffmpeg/src/chunks/chunk-checks.ts';
import { type ChunkLength, cutChunks } from '../../packages/ffmpeg/src/chunks/cuts.ts';
import { SourceIndexReader, sourceIndexArgs } from '../../packages/ffmpeg/src/chunks/source-index.ts';
import { tools } from './tools.ts';

const run = promisify(execFile);
const MAX_BUFFER = 2 ** 28;

/** Runs ffmpeg in a folder with `in/` and `out/`. Throws with its log. */
export const ffmpegIn = async (dir: string, argv: readonly string[]): Promise<string> =>
  (await run(tools().ffmpegPath, [...argv], { cwd: dir, maxBuffer: MAX_BUFFER })).stderr;

export const ffprobeIn = async (dir: string, argv: readonly string[]): Promise<string> =>
  (await run(tools().ffprobePath, [...argv], { cwd: dir, maxBuffer: MAX_BUFFER })).stdout;

/** How a plan ran: in chunks, or whole for a reason. */
export type ChunkedOutcome = { readonly run: ChunkedRun } | { readonly whole: string };

/** Runs the plan of a request in chunks, one after the other. If it cannot run in chunks, it does not run. */
export async function runChunks(dir: string, { chunks: planned }: Plan, length: ChunkLength): Promise<ChunkedOutcome> {
  if (planned === undefined) return { whole: 'The plan has no chunks.' };
  if ('whole' in planned) return planned;
  const chunked = await cutSource(dir, planned, length);
  if ('whole' in chunked) return chunked;
  await mkdir(join(dir, 'pass'), { recursive: true });
  const encoders: ChunkFacts['encoders'][] = [];
  for (const family of planned.families) {
    const facts: ChunkFacts[] = [];
    for (const chunk of chunked.chunks) {
      await ffmpegIn(dir, chunkArgv(planned, family, chunk, { threads: 1 }));
      const found = readChunkFacts(await ffprobeIn(dir, chunkProbeArgs(family, chunk.index)), family);
      if (found === undefined) return { whole: `Chunk ${chunk.index + 1} is damaged.` };
      facts.push(found);
    }
    const mismatch = checkChunks(chunked, facts);
    if (mismatch !== undefined) return mismatch;
    encoders.push(facts[0]?.encoders ?? []);
  }
  for (const index of planned.outputs.keys()) {
    const rest = restArgv(planned, index, chunked);
    if (rest !== undefined) await ffmpegIn(dir, rest);
  }
  const { argv, texts } = joinOfChunks(planned, chunked, encoders);
  for (const { logical, text } of texts) await writeFile(join(dir, logical), text);
  await ffmpegIn(dir, argv);
  return { run: chunked };
}

/** Reads the frames of the input of a plan, and cuts it. */
export async function cutSource(dir: string, planned: ChunkTemplates, length: ChunkLength) {
  const reader = new SourceIndexReader();
  for (const line of (await ffprobeIn(dir, sourceIndexArgs(planned))).split('\n')) reader.feed(line);
  const index = reader.end();
  return 'whole' in index ? index : cutChunks(planned, index, length);
}
