import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ChunkTemplates, EncodedVideo, WholeReason } from '../../packages/contract/src/domain/chunks.ts';
import type { Plan } from '../../packages/contract/src/domain/plan.ts';
import { readChunk } from '../../packages/ffmpeg/src/analysis/chunk-probes.ts';
import { checkChunk, checkJoined, type PartFacts } from '../../packages/ffmpeg/src/chunks/checks.ts';
import { cutAtKeyFrames } from '../../packages/ffmpeg/src/chunks/cuts.ts';
import { isManifestMuxer } from '../../packages/ffmpeg/src/chunks/manifest-options.ts';
import {
  type ChunkPart,
  chunkParts,
  partFile,
  partStart,
  planChunkJoin,
  planPart,
} from '../../packages/ffmpeg/src/chunks/parts.ts';
import {
  readStarts,
  SourceFramesReader,
  sourceFramesArgs,
  startsArgs,
} from '../../packages/ffmpeg/src/chunks/source-frames.ts';
import { LogLineReader } from '../../packages/ffmpeg/src/log/log-line.ts';
import { ReportReader } from '../../packages/ffmpeg/src/log/report.ts';
import { resultOf } from './result-of-steps.ts';
import { tools } from './tools.ts';

const run = promisify(execFile);
const MAX_BUFFER = 2 ** 28;

/** Runs ffmpeg in a folder with `in/` and `out/`. Throws with its log. */
export const ffmpegIn = async (dir: string, argv: readonly string[]): Promise<string> =>
  (await run(tools().ffmpegPath, [...argv], { cwd: dir, maxBuffer: MAX_BUFFER })).stderr;

export const ffprobeIn = async (dir: string, argv: readonly string[]): Promise<string> =>
  (await run(tools().ffprobePath, [...argv], { cwd: dir, maxBuffer: MAX_BUFFER })).stdout;

/** How a plan ran: in chunks that begin at these seconds of the source, or whole for a reason. */
export type ChunkedOutcome = { readonly starts: readonly number[] } | WholeReason;

/** Runs the plan of a request in chunks, one after the other. If it cannot run in chunks, it does not run. */
export async function runChunks(dir: string, plan: Plan, seconds: number): Promise<ChunkedOutcome> {
  const { chunks: planned } = plan;
  if (planned === undefined) return { whole: 'The plan has no chunks.' };
  if ('whole' in planned) return planned;
  const run = await cutSource(dir, planned, seconds);
  if ('whole' in run) return run;
  await mkdir(join(dir, 'pass'), { recursive: true });
  const parts = chunkParts(planned, run, { threads: 1, lengthSeconds: run.seconds });
  const facts: PartFacts[] = [];
  for (const part of parts) {
    const found = await encodePart(dir, plan, planned, part);
    if (part.chunk !== undefined && found === undefined) return { whole: 'A chunk is damaged.' };
    const file = `pass/${partFile(planned, part)}`;
    const start = partStart(planned, part, await startsOf(dir, file));
    facts.push(
      found === undefined
        ? { seconds: await secondsOf(dir, file), start }
        : { ...found, ...(start !== undefined && { start }) },
    );
    const reason = part.chunk && found && checkChunk(planned, part.chunk, found);
    if (reason !== undefined) return reason;
  }
  const joined = planChunkJoin(plan, planned, parts, facts);
  if ('whole' in joined) return joined;
  for (const { logical, text } of joined.texts ?? []) await writeFile(join(dir, logical), text);
  let videos: readonly (readonly EncodedVideo[])[] = [];
  for (const argv of joined.passes) videos = await videosEncodedBy(dir, argv, plan.outputs.length);
  const [lengths, audioDelays]: [(number | undefined)[], (number | 'segments' | undefined)[]] = [[], []];
  for (const { logical, muxer } of plan.outputs) {
    const isOneFile = !isManifestMuxer(muxer);
    lengths.push(isOneFile ? await secondsOf(dir, logical) : undefined);
    audioDelays.push(isOneFile ? await delayOf(dir, logical) : 'segments');
  }
  const reason = checkJoined(planned, parts, facts, { seconds: lengths, audioDelays, videos });
  return reason ?? { starts: run.chunks.map(({ startMicros }) => startMicros / 1e6) };
}

const startsOf = async (dir: string, file: string) => readStarts((await ffprobeIn(dir, startsArgs(file))).split('\n'));

const secondsOf = async (dir: string, file: string): Promise<number> =>
  Number(await ffprobeIn(dir, ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', file]));

/** By how much the audio of a file begins after its video. */
async function delayOf(dir: string, file: string): Promise<number | undefined> {
  const { video, audio } = await startsOf(dir, file);
  return video === undefined || audio === undefined ? undefined : audio - video;
}

/** Encodes a part, and reads the facts of a chunk. undefined: the part has no video, or is damaged. */
async function encodePart(
  dir: string,
  plan: Plan,
  planned: ChunkTemplates,
  part: ChunkPart,
): Promise<PartFacts | undefined> {
  const planOfPart = planPart(plan, planned, part);
  await rm(join(dir, planOfPart.outputs[0]?.logical ?? ''), { force: true });
  let videos: readonly EncodedVideo[] = [];
  for (const argv of planOfPart.passes) [videos = []] = await videosEncodedBy(dir, argv);
  return part.chunk && readChunk({ dir }, planned, part.chunk, videos);
}

/** Runs ffmpeg, and reads what its log says about the videos of its outputs. */
async function videosEncodedBy(
  dir: string,
  argv: readonly string[],
  outputs = 1,
): Promise<readonly (readonly EncodedVideo[])[]> {
  const env = { PATH: process.env['PATH'], AV_LOG_FORCE_COLOR: '1' };
  const { stderr } = await run(tools().ffmpegPath, [...argv], { cwd: dir, maxBuffer: MAX_BUFFER, env });
  const [report, reader] = [new ReportReader(outputs), new LogLineReader()];
  for (const text of stderr.split('\n')) for (const line of reader.feed(text)) report.feed(line);
  return report.isForged ? [] : Array.from({ length: outputs }, (_, at) => report.output(at).encodedVideos);
}

/** Reads the frames of the input of a plan, and cuts it. */
export async function cutSource(dir: string, planned: ChunkTemplates, seconds: number) {
  const reader = new SourceFramesReader();
  for (const line of (await ffprobeIn(dir, sourceFramesArgs(planned))).split('\n')) reader.feed(line);
  const source = resultOf(reader.end());
  if ('whole' in source) return source;
  const run = resultOf(cutAtKeyFrames(planned, source, seconds));
  return 'whole' in run ? run : { ...run, seconds: source.lengthSeconds };
}
