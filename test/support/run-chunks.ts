import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ChunkTemplates, EncodedVideo, WholeReason } from '../../packages/contract/src/domain/chunks.ts';
import type { Plan } from '../../packages/contract/src/domain/plan.ts';
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
import { type ChunkLength, cutChunks } from '../../packages/ffmpeg/src/chunks/cut-points.ts';
import { SourceIndexReader, sourceIndexArgs } from '../../packages/ffmpeg/src/chunks/source-index.ts';
import { LogLineReader } from '../../packages/ffmpeg/src/log/log-line.ts';
import { ReportReader } from '../../packages/ffmpeg/src/log/report.ts';
import { conversion } from '../fixtures/conversion.ts';
import { NO_SANDBOX } from '../fixtures/sandboxes.ts';
import { resultOf } from './result-of-steps.ts';
import { tools } from './tools.ts';

const run = promisify(execFile);
const MAX_BUFFER = 2 ** 28;

/** Runs ffmpeg in a folder with `in/` and `out/`. Throws with its log. */
export const ffmpegIn = async (dir: string, argv: readonly string[]): Promise<string> =>
  (await run(tools().ffmpegPath, [...argv], { cwd: dir, maxBuffer: MAX_BUFFER })).stderr;

export const ffprobeIn = async (dir: string, argv: readonly string[]): Promise<string> =>
  (await run(tools().ffprobePath, [...argv], { cwd: dir, maxBuffer: MAX_BUFFER })).stdout;

/** How a plan ran: in chunks, or whole for a reason. `again`: how many chunks were encoded once more. */
export type ChunkedOutcome = { readonly chunks: number; readonly again: number } | WholeReason;

/**
 * Runs the plan of a request in chunks, one after the other. If it cannot run in chunks, it does not run.
 *
 * @param fill The bits in the buffer of a limit with which the later chunks begin at first. Absent: as usual.
 */
export async function runChunks(
  dir: string,
  plan: Plan,
  length: ChunkLength & { readonly fill?: number },
): Promise<ChunkedOutcome> {
  const { chunks: planned } = plan;
  if (planned === undefined) return { whole: 'The plan has no chunks.' };
  if ('whole' in planned) return planned;
  const run = await cutSource(dir, planned, length);
  if ('whole' in run) return run;
  await mkdir(join(dir, 'pass'), { recursive: true });
  const last = run.chunks.at(-1);
  const parts = chunkParts(planned, run, { threads: 1, lengthSeconds: run.seconds }).map((part): ChunkPart => {
    const isLater = part.chunk !== undefined && part.chunk.index > 0;
    return length.fill !== undefined && isLater
      ? { ...part, again: { fills: [length.fill], times: 0, round: 0 } }
      : part;
  });
  const facts: (ChunkFacts | undefined)[] = [];
  for (const [place, part] of parts.entries()) facts[place] = await encodePart(dir, plan, planned, part);
  let again = 0;
  for (;;) {
    const replaced = partsToReplace(planned, parts, facts);
    if ('whole' in replaced) return replaced;
    if (replaced.length === 0) break;
    for (const { place, part } of replaced) {
      parts[place] = part;
      facts[place] = await encodePart(dir, plan, planned, part);
      if (part.chunk !== undefined && part.again !== undefined) again += 1;
    }
  }
  const joined = planChunkJoin(plan, planned, parts, facts);
  if ('whole' in joined) return joined;
  for (const { logical, text } of joined.texts ?? []) await writeFile(join(dir, logical), text);
  for (const argv of joined.passes) await ffmpegIn(dir, argv);
  return { chunks: (last?.index ?? 0) + 1, again };
}

/** Encodes a part, and reads the facts of a chunk. undefined: the part has no video, or is damaged. */
async function encodePart(
  dir: string,
  plan: Plan,
  planned: ChunkTemplates,
  part: ChunkPart,
): Promise<ChunkFacts | undefined> {
  const planOfPart = planPart(plan, planned, part);
  await rm(join(dir, planOfPart.outputs[0]?.logical ?? ''), { force: true });
  let videos: readonly EncodedVideo[] = [];
  for (const argv of planOfPart.passes) videos = await videosEncodedBy(dir, argv);
  if (part.chunk === undefined) return undefined;
  if (videos.length === 0) throw new Error('The log does not tell what was encoded.');
  const run = { ...conversion(NO_SANDBOX, dir, planOfPart, { mounts: [] }), ffprobePath: tools().ffprobePath };
  return readChunk(run, familyIn(planned, part.family), part.chunk, videos);
}

/** Runs ffmpeg, and reads what its log says about the videos that it has encoded. */
async function videosEncodedBy(dir: string, argv: readonly string[]): Promise<readonly EncodedVideo[]> {
  const env = { PATH: process.env['PATH'], AV_LOG_FORCE_COLOR: '1' };
  const { stderr } = await run(tools().ffmpegPath, [...argv], { cwd: dir, maxBuffer: MAX_BUFFER, env });
  const [report, reader] = [new ReportReader(), new LogLineReader()];
  for (const text of stderr.split('\n')) for (const line of reader.feed(text)) report.feed(line);
  return report.isForged ? [] : report.output(0).encodedVideos;
}

/** Reads the frames of the input of a plan, and cuts it. */
export async function cutSource(dir: string, planned: ChunkTemplates, length: ChunkLength) {
  const reader = new SourceIndexReader();
  for (const line of (await ffprobeIn(dir, sourceIndexArgs(planned))).split('\n')) reader.feed(line);
  const index = resultOf(reader.end());
  if ('whole' in index) return index;
  const run = resultOf(cutChunks(planned, index, length));
  const [ticks, perSecond] = index.timeBase;
  const end = (index.ticks[index.ticks.length - 1] ?? 0) + (index.durations[index.durations.length - 1] ?? 0);
  return 'whole' in run ? run : { ...run, seconds: ((end - (index.ticks[0] ?? 0)) * ticks) / perSecond };
}
