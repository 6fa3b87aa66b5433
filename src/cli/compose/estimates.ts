import { availableParallelism } from 'node:os';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../../domain/client.ts';
import type { MediaInfo } from '../../domain/media-info.ts';
import { type Plan, type PlannedInput, planOfOutput, type Warning } from '../../domain/plan.ts';
import { Problem } from '../../domain/problem.ts';
import { lastOf, readArgv } from '../../ffmpeg/estimate/command.ts';
import { estimate, knownOutput } from '../../ffmpeg/estimate/estimate.ts';
import { speedRatio } from '../../ffmpeg/estimate/speed-ratio.ts';
import { type ForeseenOutput, foreseenWarnings } from '../../ffmpeg/run/foreseen-warnings.ts';
import { warningsOfRun } from '../../ffmpeg/run/warnings-of-run.ts';
import type { ProbeOperations } from '../../jobs/operations.ts';
import type { EstimatedPlan, Estimator, UnreadableInput } from '../../jobs/ports/estimator.ts';
import type { JobStore } from '../../jobs/ports/job-store.ts';
import type { PathStat } from '../../jobs/ports/path-stats.ts';

/** The client waits for the dry run meanwhile. All probes of a request share this time. */
const PROBE_MS = 5000;

/** The most inputs that are probed. */
const MAX_PROBED = 8;

/** How many finished jobs of the client show how fast the service is. */
const RECENT_JOBS = 20;

/** Read once: each call reads files of the system. */
const CORES = availableParallelism();

/** How long a probe is used again, while someone tries options. */
const KEEP_MS = 30_000;
const MAX_KEPT = 200;

/** Codes of a probe whose cause is in the file: a conversion has it too. */
const OF_THE_FILE: ReadonlySet<string> = new Set(['INPUT_INVALID', 'UNSUPPORTED']);

/** Why there is no estimate for an input. `cause`: present if the file itself is unreadable. */
interface Unknown {
  readonly reason: string;
  readonly cause?: UnreadableInput['cause'];
}

const unknown = (reason: string): Unknown => ({ reason });

const EMPTY: UnreadableInput['cause'] = {
  message: 'The file ends after its header: it holds no picture and no sound.',
  fix: 'Send the complete file: this one was probably copied or recorded only in part.',
};

/** Returns the function that estimates what a plan produces, by probes of its inputs and recent jobs of the client. */
export function estimator({ probe }: Pick<ProbeOperations, 'probe'>, jobs: Pick<JobStore, 'list'>): Estimator {
  const kept = new LRUCache<string, MediaInfo>({ max: MAX_KEPT, ttl: KEEP_MS });

  /** What a probe finds in an input, or why nothing is known about it. */
  const mediaOf = async (
    caller: Caller,
    { path, url, sequence }: PlannedInput,
    stat: PathStat | undefined,
    signal: AbortSignal,
  ): Promise<MediaInfo | Unknown> => {
    if (url !== undefined) return unknown('An input is a URL, which is read when the job runs.');
    if (sequence !== undefined) return unknown('How many pictures the input has is counted when the job runs.');
    if (stat?.kind === 'missing') return unknown('An input is not there yet.');
    const key = JSON.stringify([caller.clientId, path, stat]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    try {
      const found = await probe(caller, { input: path }, signal);
      if (found.format.isEmpty === true) return { reason: EMPTY.message, cause: EMPTY };
      kept.set(key, found);
      return found;
    } catch (error) {
      if (signal.aborted) return unknown('Reading an input took too long.');
      if (!(error instanceof Problem)) throw error;
      const [cause] = OF_THE_FILE.has(error.code) ? error.errors : [];
      return { reason: `An input cannot be read now: ${error.message}`, ...(cause && { cause }) };
    }
  };

  return async (caller, plan, stats, hangUp) => {
    const deadline = AbortSignal.timeout(PROBE_MS);
    const signal = hangUp === undefined ? deadline : AbortSignal.any([deadline, hangUp]);
    const found = plan.inputs.map(async (input, index) =>
      index < MAX_PROBED
        ? mediaOf(caller, input, stats[index], signal)
        : unknown('The request has too many inputs to look into.'),
    );
    const recent = jobs.list({ clientId: caller.clientId, status: 'COMPLETED', limit: RECENT_JOBS });
    const [media, finished] = await Promise.all([Promise.all(found), recent]);
    hangUp?.throwIfAborted();
    const ratios = finished.flatMap((job) => speedRatio(job, CORES) ?? []);
    return {
      estimate: estimate(
        plan,
        media.map((one) => ('reason' in one ? one.reason : one)),
        { cores: CORES, ratios },
      ),
      unreadable: media.flatMap((one, index) =>
        'reason' in one && one.cause !== undefined && isProbedAsRead(plan, index) ? [{ index, cause: one.cause }] : [],
      ),
      foreseen: foreseenIn(
        plan,
        media.flatMap((one) => ('reason' in one ? [] : [one])),
      ),
    };
  };
}

/** Whether ffmpeg reads an input as a probe does: with `-i`, and in the format that it detects. Filters read other files. */
function isProbedAsRead({ inputs, passes }: Pick<Plan, 'inputs' | 'passes'>, index: number): boolean {
  const own = readArgv(passes.at(-1) ?? []).inputs.find(({ name }) => name === inputs[index]?.logical);
  return own !== undefined && lastOf(own.options, 'f') === undefined;
}

/** What a run would certainly do with its inputs. Empty if not all of them are known, or if they are not read as they are. */
function foreseenIn(plan: EstimatedPlan, media: readonly MediaInfo[]): readonly Warning[] {
  const { inputs, outputs, passes, join, cut, analysis } = plan;
  const read = readArgv(passes.at(-1) ?? []).inputs;
  const isRead = read.length === inputs.length && read.every(({ name }, index) => name === inputs[index]?.logical);
  if (!isRead || media.length < inputs.length || join !== undefined || analysis !== undefined) return [];
  // This plan assumes what the input contains. The job probes the input and makes another plan.
  if (cut?.isAssumed === true) return [];
  if (inputs.some((_one, index) => !isProbedAsRead(plan, index))) return [];
  const whole = { ...plan, warnings: [] };
  const found = outputs.map((output, index) => {
    const known = knownOutput(plan, output, media);
    return foreseenWarnings(
      planOfOutput(whole, index),
      media,
      typeof known === 'string' ? undefined : asForeseen(known),
    );
  });
  return warningsOfRun(whole, found);
}

function asForeseen({ streams, seconds, inputs }: Exclude<ReturnType<typeof knownOutput>, string>): ForeseenOutput {
  const read = streams.flatMap(({ from, encoder }) =>
    from === undefined
      ? []
      : [{ input: inputs.indexOf(from.input), stream: from.stream.index, copied: encoder === 'copy' }],
  );
  return { seconds, ...(read.length === streams.length && { streams: read }) };
}
