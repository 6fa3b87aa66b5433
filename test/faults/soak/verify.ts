import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import pLimit from 'p-limit';
import type { JobView } from '../../../packages/contract/src/wire/job.ts';
import { decodeError, runFfprobe } from '../../../scripts/lib/probe.ts';
import { filesIn, RECEIPTS } from '../service-state.ts';
import type { Entry, Ledger } from './ledger.ts';
import type { ClipFacts } from './soak-setup.ts';
import { CLIPS, type ClipName } from './workload.ts';

export interface Programs {
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
}

/** The lock of a service that shares its media root with no other. The empty file stays. */
export const LOCK = '.telecine/serve.lock';

/** Streams end on a whole frame: of AAC with its priming, or of video at 24 frames per second. */
const TOLERANCE_SECONDS = 0.2;

/**
 * Checks after all jobs have ended that the media root contains only the inputs, the complete outputs of completed jobs,
 * receipts of jobs and `others`.
 */
export async function verifyOutputs(
  ledger: Ledger,
  mediaRoot: string,
  programs: Programs,
  clips: Readonly<Record<ClipName, ClipFacts>>,
  others: readonly string[],
): Promise<void> {
  const completed = [...ledger.entries.values()].filter(({ job }) => job?.status === 'COMPLETED');
  const expected = new Set([
    ...Object.keys(CLIPS),
    ...others,
    ...completed.flatMap(({ job }) => (job?.outputs ?? []).map(({ path }) => path)),
  ]);
  const receipts = new Set([...ledger.entries.values()].map(({ jobId }) => RECEIPTS + jobId));
  const present = new Set((await filesIn(mediaRoot)).filter((path) => !receipts.has(path)));
  for (const path of present) if (!expected.has(path)) ledger.fault(`${path} belongs to no completed job`);
  for (const path of expected) if (!present.has(path)) ledger.fault(`${path} is missing at the end`);

  const limit = pLimit(2);
  const byOutput = Map.groupBy(completed, ({ submission }) => submission.request.output ?? '');
  await limit.map([...byOutput], async ([path, entries]) => {
    if (!present.has(path)) return;
    const fault = await faultOf(path, entries);
    if (fault !== undefined) ledger.fault(`${path}: ${fault}`);
  });

  async function faultOf(path: string, entries: readonly Entry[]): Promise<string | undefined> {
    const file = join(mediaRoot, path);
    const broken = await decodeError(programs.ffmpegPath, file);
    if (broken !== undefined) return `does not decode: ${broken}`;
    const { durationSeconds = 0, sizeBytes, videoFrames } = await runFfprobe(programs.ffprobePath, file);
    const writer = entries.find(({ job }) => job?.outputs?.[0]?.sizeBytes === sizeBytes);
    if (writer?.job === undefined) return `is ${sizeBytes} bytes long, which no job reports`;
    const { seconds, framesOf } = writer.submission;
    const expectedSeconds = typeof seconds === 'number' ? seconds : clips[seconds].seconds;
    if (Math.abs(durationSeconds - expectedSeconds) > TOLERANCE_SECONDS)
      return `lasts ${durationSeconds} s instead of ${expectedSeconds} s`;
    const { warnings = [] } = writer.job;
    if (framesOf !== undefined && warnings.length > 0) return `was not encoded in chunks: ${JSON.stringify(warnings)}`;
    const expectedFrames = framesOf && clips[framesOf].videoFrames;
    if (expectedFrames !== undefined && videoFrames !== expectedFrames)
      return `has ${videoFrames} frames instead of ${expectedFrames}`;
    return path.endsWith('.m3u8') ? wrongSegments(file, writer.job) : undefined;
  }
}

/** A manifest must name exactly the files that the job lists. */
async function wrongSegments(manifest: string, job: JobView): Promise<string | undefined> {
  const lines = (await readFile(manifest, 'utf8')).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const named = lines.map((line) => join(dirname(manifest), line)).sort();
  const listed = (job.outputs ?? []).slice(1).map(({ path }) => join(dirname(manifest), basename(path)));
  if (named.length > 0 && JSON.stringify(named) === JSON.stringify(listed.sort())) return undefined;
  return `names ${lines}, while the job lists ${listed.map((path) => basename(path))}`;
}
