import { type CallQuota, type FairSlots, takeSlot } from '@telecine/contract/domain/call-quota.ts';
import { allows, type Caller } from '@telecine/contract/domain/client.ts';
import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import { type Failure, JobFailed } from '@telecine/contract/domain/failure.ts';
import { replaceRetryJob } from '@telecine/contract/domain/hint.ts';
import type { MediaInfo, ProbeRequest } from '@telecine/contract/domain/media-info.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { sizeLimitText, sizeText } from '@telecine/contract/domain/quantity.ts';
import { type ProbePlan, planProbe } from '@telecine/ffmpeg/probe/plan-probe.ts';
import type { LateProbe } from '@telecine/ffmpeg/probe/probe.ts';
import type { Prober } from './ports/ffmpeg.ts';
import type { InputStaging, PathStat, PathStats, StagedInput, StagingOptions } from './ports/media-store.ts';
import { type FileProbe, type FileRead, LATE_SECONDS, type ProbeReads } from './probe-cache.ts';
import { checkInputSize } from './run/attempt-failures.ts';
import type { SharedRun } from './shared-runs.ts';
import { pathError } from './submit/check-request.ts';

export interface ProbeOperations {
  /**
   * Throws INVALID_REQUEST, INPUT_NOT_FOUND, INPUT_INVALID, INPUT_UNAVAILABLE, UNSUPPORTED, TIMEOUT, RATE_LIMITED,
   * UNAVAILABLE, or the reason of an abort. TIMEOUT has a time for a retry if the service goes on reading the file. `stat`: the stat of the
   * file, if the caller has just read it.
   */
  probe(caller: Caller, request: ProbeRequest, signal: AbortSignal, stat?: PathStat): Promise<MediaInfo>;
}

export interface ProbeDeps {
  readonly media: PathStats & Pick<InputStaging, 'isCopied' | 'stageFile' | 'stageUrl' | 'removeInput'>;
  readonly prober: Prober;
  readonly reads: Pick<ProbeReads, 'readOnce'>;
  /** The slots that probes use while ffprobe reads a file. */
  readonly probeSlots: FairSlots;
  /** The slots of probes that open a file of a disk. They are kept until the storage has replied, even if no probe waits for it. */
  readonly openSlots: FairSlots;
  /**
   * The slots of probes that fetch a file from a URL. A probe keeps its slot until its file is removed. These slots are
   * separate from `probeSlots`, so that slow servers do not block probes of local files.
   */
  readonly fetchSlots: FairSlots;
  /**
   * The slots of probes that copy a file from an object store, for the same reason and until the copy is removed. They limit how many
   * copies are on the disk at the same time.
   */
  readonly copySlots: FairSlots;
  readonly quotas: ProbeQuotas;
  /** The maximum time to fetch a file from its URL, to wait for a slot of `openSlots`, and to use one of `probeSlots`, in seconds. */
  readonly probeSeconds: number;
}

/** The quotas of probes that run or are queued. Probes of URLs have their own quota, because each may take long. */
export interface ProbeQuotas {
  readonly ofFiles: CallQuota;
  readonly ofUrls: CallQuota;
}

/**
 * Plans a probe and stats its file, unless `known` is its stat. Throws INVALID_REQUEST. Throws INSUFFICIENT_SCOPE if the
 * input is a URL and the token of the caller only allows reading.
 */
export async function checkProbe(
  media: PathStats,
  caller: Pick<Caller, 'clientId' | 'root' | 'scopes'>,
  request: ProbeRequest,
  known?: PathStat,
): Promise<FileProbe> {
  const planned = planProbe(request, caller.root);
  if (!planned.ok) throw invalidRequest(planned.errors);
  const { plan } = planned;
  if (plan.url !== undefined && !allows(caller, 'jobs:write')) throw urlNeedsScope(caller);
  const [stat = MISSING] = known === undefined ? await media.statPaths(caller.root, [plan.path]) : [known];
  const error = pathError('/input', 'input', stat);
  if (error !== undefined) throw invalidRequest([error]);
  return { clientId: caller.clientId, plan, ...(stat.kind === 'file' && { file: stat }) };
}

const MISSING: PathStat = { kind: 'missing' };

/**
 * Probes a file in the media root or at a URL. Fetches a file at a URL first, and takes a slot of `probeSlots` only
 * for ffprobe. Files in the media root are read once for each version. Throws `Problem`.
 */
export async function probeFile(
  deps: ProbeDeps,
  caller: Pick<Caller, 'clientId' | 'root' | 'policy' | 'scopes'>,
  request: ProbeRequest,
  signal: AbortSignal,
  stat?: PathStat,
): Promise<MediaInfo> {
  const { media, reads, quotas, fetchSlots, probeSeconds } = deps;
  const { clientId, root, policy } = caller;
  const checked = await checkProbe(media, caller, request, stat);
  const { plan } = checked;
  const fetch = planFetch(media, plan, { policy, signal, seconds: probeSeconds });
  try {
    if (fetch === undefined) return await reads.readOnce(checked, signal, (run) => readFile(deps, root, checked, run));
    const owner = { clientId, signal };
    const { info } = await quotas.ofUrls(clientId, () =>
      probeCopy(deps, fetchSlots, owner, fetch, (input) => runProber(deps, plan, input, owner)),
    );
    return info;
  } catch (error) {
    throw error instanceof JobFailed ? toProblem(error.failure, error.cause) : error;
  }
}

const urlNeedsScope = ({ scopes }: Pick<Caller, 'scopes'>): Problem =>
  new Problem(
    'INSUFFICIENT_SCOPE',
    `The scope jobs:write is required to fetch from a URL; the access token has: ${scopes.join(', ')}. ` +
      'Use a token of a client with this scope, or probe a file of the media root.',
    { scopes: [...scopes, 'jobs:write'] },
  );

/** Reads a file of the media root or of a bucket. A read that becomes late counts no longer in the quota of its client. */
async function readFile(
  deps: ProbeDeps,
  root: MediaRoot,
  { clientId, plan, file }: FileProbe,
  run: SharedRun,
): Promise<FileRead> {
  const { media, quotas, copySlots } = deps;
  const { signal } = run;
  const owner = { clientId, signal };
  const late: LateProbe | undefined = file && { seconds: LATE_SECONDS, onLate: run.setLate };
  const stage = () => media.stageFile(root, plan.path, plan.logical, signal);
  const probe = (input: StagedInput) => runProber(deps, plan, input, owner, late);
  const read = (): Promise<FileRead> =>
    media.isCopied(plan.path)
      ? probeCopy(deps, copySlots, owner, stage, probe)
      : probeStaged(media, () => openFile(deps, owner, stage), probe);
  const { reading } = await quotas.ofFiles(clientId, async () => {
    const reading = read();
    await Promise.race([reading, whenAborted(run.late), whenAborted(signal)]);
    return { reading };
  });
  return reading;
}

const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** The client of a probe, and the signal that ends it. */
interface ProbeOwner {
  readonly clientId: string;
  readonly signal: AbortSignal;
}

type Stage = () => Promise<StagedInput>;
type Probe = (input: StagedInput) => Promise<MediaInfo>;

/** Copies a file in a slot of `copySlots`, and probes the copy. */
const probeCopy = (
  deps: Pick<ProbeDeps, 'media'>,
  copySlots: FairSlots,
  { clientId, signal }: ProbeOwner,
  copy: Stage,
  probe: Probe,
): Promise<FileRead> => copySlots(clientId, signal, () => probeStaged(deps.media, copy, probe));

async function probeStaged(media: ProbeDeps['media'], stage: Stage, probe: Probe): Promise<FileRead> {
  const input = await stage();
  const info = await probe(input).finally(() => media.removeInput(input));
  return { info, file: input.file };
}

/**
 * Opens a file of a disk in a slot of `openSlots`. A mount that hangs keeps a call, and a thread of the service, for as long as it hangs: the
 * slot is kept until then, but the read ends with its signal. Throws UNAVAILABLE if no slot is free within the time of a probe.
 */
async function openFile(
  { openSlots, probeSeconds }: ProbeDeps,
  { clientId, signal }: ProbeOwner,
  open: Stage,
): Promise<StagedInput> {
  const noSlot = AbortSignal.timeout(probeSeconds * 1000);
  const slot = await takeSlot(openSlots, clientId, AbortSignal.any([signal, noSlot])).catch((error: unknown) => {
    throw error === noSlot.reason ? STORAGE_HANGS : error;
  });
  const opening = open().finally(() => slot[Symbol.dispose]());
  return Promise.race([opening, whenAborted(signal).then(() => Promise.reject(signal.reason))]);
}

const STORAGE_HANGS = new Problem(
  'UNAVAILABLE',
  'The storage does not reply to the probes that open files. Retry in 5 s, or look for a mount that hangs.',
  { retryAfterSeconds: 5 },
);

/**
 * Runs ffprobe in a slot of `probeSlots`. Gives the slot back after the time that a probe may take, and when the probe is aborted, even if
 * ffprobe goes on: it then waits for the storage, and uses no core.
 */
async function probeInSlot(
  { prober, probeSlots, probeSeconds }: ProbeDeps,
  clientId: string,
  task: Parameters<Prober>[0],
): ReturnType<Prober> {
  const { signal } = task;
  using slot = await takeSlot(probeSlots, clientId, signal);
  signal.throwIfAborted();
  const releaseSlot = (): void => slot[Symbol.dispose]();
  const timer = setTimeout(releaseSlot, probeSeconds * 1000).unref();
  signal.addEventListener('abort', releaseSlot, { once: true });
  try {
    return await prober(task);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', releaseSlot);
  }
}

async function runProber(
  deps: ProbeDeps,
  plan: ProbePlan,
  input: StagedInput,
  { clientId, signal }: ProbeOwner,
  late?: LateProbe,
): Promise<MediaInfo> {
  const how = { input, signal, ...(late && { late }) };
  const outcome = await probeInSlot(deps, clientId, { ...how, plan });
  if (!outcome.ok) throw new JobFailed(outcome.failure);
  const { info } = outcome;
  if (plan.keyFramesNear === undefined) return info;
  // Import this code with the first request for key frames.
  const { keyFrameSearch, keyFrameTimes } = await import('@telecine/ffmpeg/probe/key-frames.ts');
  const search = keyFrameSearch(plan, info);
  if (search === undefined) return info;
  const found = await probeInSlot(deps, clientId, { ...how, plan: search });
  if (!found.ok) throw new JobFailed(found.failure);
  return { ...info, keyFrames: keyFrameTimes(found.clip, info) };
}

/**
 * Converts a failure of a job to a problem of a probe. A fix that says to run the job again is replaced, because a probe
 * has no job.
 */
function toProblem({ code, message, fix }: Failure, cause: unknown): Problem {
  switch (code) {
    case 'LIMIT_EXCEEDED':
      return toProblem({ code: 'INPUT_INVALID', message, ...(fix && { fix }) }, cause);
    case 'INPUT_NOT_FOUND':
    case 'INPUT_INVALID':
    case 'INPUT_UNAVAILABLE':
    case 'UNSUPPORTED':
    case 'TIMEOUT':
      return new Problem(code, message, {
        errors: [{ ...AT, code, message, ...(fix && { fix: replaceRetryJob(fix, { do: 'repeat-request' }) }) }],
      });
    default:
      return new Problem('UNAVAILABLE', message, { retryAfterSeconds: 5, cause });
  }
}

const AT = { field: '/input' } as const;

/** The maximum number of bytes that a probe fetches. Larger files take too long, and use disk space that jobs need. */
const MAX_FETCHED_BYTES = 4 * 2 ** 30;

interface ProbeFetchOptions {
  readonly policy: ClientLimits;
  readonly signal: AbortSignal;
  /** The maximum time to fetch the file, in seconds. The limits of the client can be lower. */
  readonly seconds: number;
}

/** Returns a function that fetches the file of a probe. Returns undefined if the file is in the media root. */
function planFetch(
  { stageUrl }: Pick<InputStaging, 'stageUrl'>,
  { path, url, logical }: ProbePlan,
  { policy, signal, seconds: maxSeconds }: ProbeFetchOptions,
): (() => Promise<StagedInput>) | undefined {
  if (url === undefined || stageUrl === undefined) return undefined;
  const seconds = Math.min(maxSeconds, policy.fetch ?? maxSeconds);
  const failure: Failure = {
    code: 'TIMEOUT',
    message: `Fetching "${path}" took longer than ${seconds} s.`,
    fix: NO_PROBE,
  };
  const checkSizes: StagingOptions['checkSizes'] = (sizes) => {
    checkInputSize(sizes, policy);
    const bytes = sizes.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    if (bytes <= MAX_FETCHED_BYTES) return;
    throw new JobFailed({
      code: 'LIMIT_EXCEEDED',
      message: `"${path}" is ${sizeText(bytes)}; a probe fetches at most ${sizeLimitText(MAX_FETCHED_BYTES)}.`,
      fix: NO_PROBE,
    });
  };
  return () => stageUrl({ url, path, logical }, { signal, checkSizes, deadline: { seconds, failure } });
}

const NO_PROBE = 'Convert the URL without a probe, or upload the file and probe that.';
