import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import pLimit from 'p-limit';
import { decodeError, probe } from '../../../scripts/lib/probe.ts';
import type { JobView } from '../../../src/wire/job.ts';
import { filesIn } from '../service-state.ts';
import type { Entry, Ledger } from './ledger.ts';
import { CLIPS, type ClipName } from './workload.ts';

export interface Programs {
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
}

/** The lock of a running service. The empty file stays. */
const LOCK = '.telecine/serve.lock';

/** Streams end on a whole frame: of AAC with its priming, or of video at 24 frames per second. */
const TOLERANCE_SECONDS = 0.2;

/**
 * Checks after all jobs have ended that the media root holds exactly the inputs, the complete outputs of completed jobs and
 * the lock.
 */
export async function verifyOutputs(
  ledger: Ledger,
  mediaRoot: string,
  programs: Programs,
  lengths: Readonly<Record<ClipName, number>>,
): Promise<void> {
  const completed = [...ledger.entries.values()].filter(({ job }) => job?.status === 'COMPLETED');
  const due = new Set([
    ...Object.keys(CLIPS),
    LOCK,
    ...completed.flatMap(({ job }) => (job?.outputs ?? []).map(({ path }) => path)),
  ]);
  const there = new Set(await filesIn(mediaRoot));
  for (const path of there) if (!due.has(path)) ledger.fault(`${path} belongs to no completed job`);
  for (const path of due) if (!there.has(path)) ledger.fault(`${path} is missing at the end`);

  const limit = pLimit(2);
  const byOutput = Map.groupBy(completed, ({ submission }) => submission.request.output);
  await limit.map([...byOutput], async ([path, entries]) => {
    if (!there.has(path)) return;
    const fault = await faultOf(path, entries);
    if (fault !== undefined) ledger.fault(`${path}: ${fault}`);
  });

  async function faultOf(path: string, entries: readonly Entry[]): Promise<string | undefined> {
    const file = join(mediaRoot, path);
    const broken = await decodeError(programs.ffmpegPath, file);
    if (broken !== undefined) return `does not decode: ${broken}`;
    const { durationSeconds = 0, sizeBytes } = await probe(programs.ffprobePath, file);
    const theirs = entries.find(({ job }) => job?.outputs?.[0]?.sizeBytes === sizeBytes);
    if (theirs?.job === undefined) return `is ${sizeBytes} bytes long, as no job says`;
    const { seconds } = theirs.submission;
    const due = typeof seconds === 'number' ? seconds : lengths[seconds];
    if (Math.abs(durationSeconds - due) > TOLERANCE_SECONDS) return `lasts ${durationSeconds} s where ${due} are due`;
    return path.endsWith('.m3u8') ? wrongSegments(file, theirs.job) : undefined;
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
