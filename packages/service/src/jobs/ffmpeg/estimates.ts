import type { Caller } from '@telecine/contract/domain/client.ts';
import { defined } from '@telecine/contract/domain/defined.ts';
import type { MediaInfo } from '@telecine/contract/domain/media-info.ts';
import { type Plan, type PlannedInput, planOfOutput, type Warning } from '@telecine/contract/domain/plan.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { lastOf, readArgv } from '@telecine/ffmpeg/estimate/command.ts';
import { estimate, estimatedKinds } from '@telecine/ffmpeg/estimate/estimate.ts';
import { type Prediction, predictOutput } from '@telecine/ffmpeg/estimate/predict.ts';
import { workloadOf } from '@telecine/ffmpeg/plan/workload.ts';
import { foreseenWarnings, warningsOfRun } from '@telecine/ffmpeg/rules/find-warnings.ts';
import { type FaultGuard, faultGuard } from '@telecine/ffmpeg/rules/rule.ts';
import type { MeasuredKinds } from '../../workers/ports/measured-kinds.ts';
import type { Estimated, Estimator, UnreadableInput } from '../ports/ffmpeg.ts';
import type { PathStat } from '../ports/media-store.ts';
import type { ProbeOperations } from '../probe.ts';
import type { ReadServiceLoad } from './service-load.ts';

/** The maximum time for all probes of a request together. The client waits for them. */
const PROBE_MS = 5000;

const MAX_PROBED = 8;

/** Error codes of a probe whose cause is the file: a conversion of the file would fail too. */
const OF_THE_FILE: ReadonlySet<string> = new Set(['INPUT_INVALID', 'UNSUPPORTED']);

/** Error codes of a probe whose cause is not the file. */
const OF_THE_MACHINE: ReadonlySet<string> = new Set(['TIMEOUT', 'RATE_LIMITED', 'UNAVAILABLE']);

interface Unknown {
  readonly reason: string;
  /** Present if the file itself is unreadable. */
  readonly cause?: UnreadableInput['cause'];
  /** Present if the file was not read in time. */
  readonly notRead?: Pick<Warning, 'retryAfterSeconds'>;
}

const unknown = (reason: string): Unknown => ({ reason });

const EMPTY: UnreadableInput['cause'] = {
  message: 'The file ends after its header: it has no video and no audio.',
  fix: 'Send the complete file: this one is only a part. If it is still being copied or recorded, send the request again when that has ended.',
};

/**
 * Returns a function that estimates a plan from probes of its inputs, from the load of the workers, and from what earlier jobs took.
 * `onFault`: called with errors of rules that look for warnings.
 */
export function estimator(
  { probe }: Pick<ProbeOperations, 'probe'>,
  readLoad: ReadServiceLoad,
  { find }: Pick<MeasuredKinds, 'find'>,
  onFault?: (error: unknown) => void,
): Estimator {
  /** Probes an input. If that is not possible, returns the reason. */
  const mediaOf = async (
    caller: Caller,
    { path, url, sequence }: PlannedInput,
    stat: PathStat | undefined,
    signal: AbortSignal,
  ): Promise<MediaInfo | Unknown> => {
    if (url !== undefined) return unknown('An input is a URL, which is read when the job runs.');
    if (sequence !== undefined) return unknown('The images of an input are counted when the job runs.');
    if (stat?.kind === 'missing') return unknown('An input does not exist yet.');
    try {
      const found = await probe(caller, { input: path }, signal, stat);
      return found.format.isEmpty === true ? { reason: EMPTY.message, cause: EMPTY } : found;
    } catch (error) {
      const notRead = error instanceof Problem ? defined({ retryAfterSeconds: error.retryAfterSeconds }) : {};
      if (signal.aborted) return { reason: 'Reading an input took too long.', notRead };
      if (!(error instanceof Problem)) throw error;
      const [cause] = OF_THE_FILE.has(error.code) ? error.errors : [];
      const reason = `An input cannot be read now: ${error.message}`;
      return { reason, ...(cause && { cause }), ...(OF_THE_MACHINE.has(error.code) && { notRead }) };
    }
  };

  return async (caller, plan, stats, hangUp) => {
    const deadline = AbortSignal.timeout(PROBE_MS);
    const signal = hangUp === undefined ? deadline : AbortSignal.any([deadline, hangUp]);
    const found = plan.inputs.map(async (input, index) =>
      index < MAX_PROBED
        ? mediaOf(caller, input, stats[index], signal)
        : unknown(`Only the first ${MAX_PROBED} inputs are probed for an estimate.`),
    );
    const load = readLoad(caller.clientId, workloadOf(plan).lane);
    const [media, { candidates, workers, jobsBefore }] = await Promise.all([Promise.all(found), load]);
    hangUp?.throwIfAborted();
    const known = media.flatMap((one) => ('reason' in one ? [] : [one]));
    const sources = media.map((one) => ('reason' in one ? one.reason : one));
    const predictions = plan.outputs.map((output) => predictOutput(plan, output, sources));
    const rows = await find(estimatedKinds(plan, predictions));
    const { outputs, time } = estimate(plan, predictions, candidates, rows);
    return {
      workers,
      estimate: { outputs, time: { ...time, ...(jobsBefore !== undefined && { jobsBefore }) } },
      unreadable: media.flatMap((one, index) =>
        'reason' in one && one.cause !== undefined && isProbedAsRead(plan, index) ? [{ index, cause: one.cause }] : [],
      ),
      foreseen: [
        ...plan.inputs.flatMap((input, at) => notChecked(input, media[at])),
        ...foreseenIn(plan, known, predictions, faultGuard(onFault)),
      ],
      encoded: encodedIn(predictions),
    };
  };
}

/**
 * Warns about an input that was not read in time. Without the warning, a dry run of a faulty request would seem to
 * succeed.
 */
function notChecked({ field, path }: PlannedInput, found: MediaInfo | Unknown | undefined): readonly Warning[] {
  if (found === undefined || !('notRead' in found)) return [];
  return [
    {
      field,
      code: 'INPUT_NOT_READ',
      message: `Reading ${JSON.stringify(path)} took too long, so its streams were not checked: the machine is busy, or the storage is slow.`,
      fix: 'Send a dry run of the request again, to have it checked.',
      ...found.notRead,
    },
  ];
}

/**
 * Returns whether ffmpeg reads an input in the same way as the probe did: with `-i`, and in the format that it detects.
 * Files that only filters read are not probed.
 */
function isProbedAsRead({ inputs, passes }: Pick<Plan, 'inputs' | 'passes'>, index: number): boolean {
  const own = readArgv(passes.at(-1) ?? []).inputs.find(({ name }) => name === inputs[index]?.logical);
  return own !== undefined && lastOf(own.options, 'f') === undefined;
}

type Predictions = readonly (Prediction | string)[];

/** Returns the kinds of streams that every output encodes. Returns none if an output is unknown. */
function encodedIn(predictions: Predictions): Estimated['encoded'] {
  const all = predictions.map((one) =>
    typeof one === 'string' || one.unknown !== undefined
      ? []
      : one.streams.filter(({ encoder }) => encoder !== 'copy').map(({ link }) => link.kind),
  );
  return new Set(all[0]?.filter((kind) => all.every((kinds) => kinds.includes(kind))));
}

/**
 * Returns the warnings that a run would certainly have. Returns none if an input is unknown, or if ffmpeg reads an
 * input in another way than the probe did.
 */
function foreseenIn(
  plan: Plan,
  media: readonly MediaInfo[],
  predictions: Predictions,
  guard: FaultGuard,
): readonly Warning[] {
  const { inputs, outputs, passes, join, cut, analysis } = plan;
  if (media.length < inputs.length || join !== undefined || analysis !== undefined) return [];
  const isRead =
    readArgv(passes.at(-1) ?? []).inputs.length === inputs.length &&
    inputs.every((_input, index) => isProbedAsRead(plan, index));
  // A stream copy of parts reads its inputs through a list of files, so its argv does not name them.
  if (!isRead && cut?.mode !== 'copy') return [];
  const whole = { ...plan, warnings: [] };
  const found = outputs.map((_output, index) => {
    const predicted = predictions[index];
    const output = typeof predicted === 'string' ? undefined : predicted;
    return guard(() => foreseenWarnings(planOfOutput(whole, index), media, output, guard), []);
  });
  return warningsOfRun(whole, found);
}
