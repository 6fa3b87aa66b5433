import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ByteRange } from '@telecine/contract/domain/byte-ranges.ts';
import { callQuota, fairSlots } from '@telecine/contract/domain/call-quota.ts';
import { isFullDisk } from '@telecine/contract/domain/errno.ts';
import { JobFailed } from '@telecine/contract/domain/failure.ts';
import type { PreviewImage, PreviewSpec } from '@telecine/contract/domain/preview.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { lazily } from '@telecine/contract/domain/remember.ts';
import { type PreviewField, previewField, previewProblem } from '@telecine/ffmpeg/preview/preview-problems.ts';
import { CORES } from '@telecine/ffmpeg/sandbox/limits.ts';
import type { Toolchain } from '@telecine/ffmpeg/toolchain.ts';
import type { ClientContext } from '../jobs/ports/ffmpeg.ts';
import type { MediaStore } from '../jobs/ports/media-store.ts';
import { requireFfprobe, requireProber } from '../workers/builds.ts';
import { REMOTE_AT_ONCE, requestTask, type WorkerTasks } from '../workers/request-task.ts';
import type { TaskKind } from '../workers/task-runner.ts';
import { noSpace, previewSpace, previewStaging } from './preview-staging.ts';
import type { PreviewMaker, PreviewSource, PreviewTask, ReadInTurn } from './preview-task.ts';

const PREVIEW = 'preview';

/** Import this code with the first preview. */
const runPreview = lazily(async () => (await import('@telecine/ffmpeg/preview/run-preview.ts')).runPreview);

/**
 * How many previews of one client are made at the same time. Each can use two cores for some seconds, and conversions need
 * the other cores. At least two, so that not all wait for the sheet of a long video.
 */
const PREVIEWS_AT_ONCE = Math.max(2, Math.min(Math.floor(CORES / 2), 4));

/** How long a preview may wait for a worker, in seconds, besides the time for making it. */
const WORKER_WAIT_SECONDS = 15;

interface PreviewSettings {
  readonly mediaRoot: string;
  readonly minFreeBytes: number;
  readonly minFreeDataBytes: number;
  readonly probeTimeoutSeconds: number;
}

/** The timeout of a preview. It decodes frames, so it takes longer than a probe. */
const previewSeconds = ({ probeTimeoutSeconds }: Pick<PreviewSettings, 'probeTimeoutSeconds'>): number =>
  2 * probeTimeoutSeconds;

/**
 * How many calls for previews may run or wait. There can be many, because a page with a list of files shows many
 * previews at the same time.
 */
const CALLS = { perClient: 32, total: 128 } as const;

/** How many calls by signed links may run or wait. There are fewer than for clients, as anyone can have a link. */
const LINK_CALLS = { perClient: 16, total: 64 } as const;

/** The owner that all previews by links share in the queue. No client has this id. */
const LINKS = '/links';

/** How many calls may stage files while `slots` calls run. There are more, because staging waits for the storage. */
const stagingSlots = (slots: number) => ({ slots: 2 * slots + 2, perClient: slots + 1 }) as const;

/** Waits for the turn of the call, and then runs `work`, which uses the processor. */
type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Waits for a turn, and then runs `work`, which stages files and calls `inTurn`. Clients take turns for staging and for
 * `inTurn`. All links count as one client, and only one of their calls runs at a time. Throws RATE_LIMITED or
 * UNAVAILABLE at once if there are too many calls, and the reason of `signal`.
 */
type PreviewTurns = <T>(
  task: Pick<PreviewTask, 'callerId' | 'isByLink'>,
  signal: AbortSignal,
  work: (inTurn: InTurn) => Promise<T>,
) => Promise<T>;

/**
 * Creates the function that gives calls for previews their turns. `slots`: how many calls of one client run at the same
 * time. One more runs for others: a file on which each preview takes its whole time must not hold up theirs.
 */
export function previewTurns(slots: number): PreviewTurns {
  const quota = callQuota('previews', CALLS);
  const linkQuota = callQuota('previews by links', LINK_CALLS);
  const staging = fairSlots(stagingSlots(slots));
  const turns = fairSlots({ slots: slots + 1, perClient: slots });
  const linkTurns = fairSlots({ slots: 1 });
  return ({ callerId, isByLink }, signal, work) => {
    const owner = isByLink ? LINKS : callerId;
    const run = () => staging(owner, signal, () => work((inTurn) => turns(owner, signal, inTurn)));
    return isByLink ? linkQuota(callerId, () => linkTurns(callerId, signal, run)) : quota(callerId, run);
  };
}

/** How many manifests are read at the same time. Each opens up to 2,000 files, several of them at the same time. */
const MANIFESTS = { slots: 4, perClient: 1 } as const;

/** Creates the turns of previews that read a manifest. */
export function manifestTurns(): ReadInTurn {
  const quota = callQuota('previews of manifests', { perClient: 32, total: 128 });
  const turns = fairSlots(MANIFESTS);
  return (callerId, isByLink, signal, read) => {
    const owner = isByLink ? LINKS : callerId;
    return quota(owner, () => turns(owner, signal, read));
  };
}

/** What a preview task asks of a worker. The media root and the limits are those of the client of the task. */
interface RemoteRequest {
  readonly spec: PreviewSpec;
  readonly sources: readonly PreviewSource[];
}

/** A preview as JSON. */
type RemoteImage = Omit<PreviewImage, 'bytes'> & { readonly base64: string };

/**
 * Returns the task with which a worker makes previews for machines without ffmpeg. It reads files in the media root of
 * the client.
 */
export function previewTask(
  media: MediaStore,
  tools: Promise<Toolchain>,
  config: PreviewSettings,
  clientContextOf: (clientId: string) => Promise<ClientContext>,
): TaskKind {
  const make = makerHere(media, tools, config);
  return {
    kind: PREVIEW,
    ...stagingSlots(PREVIEWS_AT_ONCE),
    run: async (clientId, request, signal): Promise<RemoteImage> => {
      const { spec, sources } = request as RemoteRequest;
      const { root, policy } = await clientContextOf(clientId);
      const task = { callerId: clientId, isByLink: false, clientId, root, policy, spec, sources };
      const { bytes, ...facts } = await make(task, signal);
      return { ...facts, base64: Buffer.from(bytes).toString('base64') };
    },
  };
}

/** Thrown if a preview failed that had only the ends of its file. */
class BytesMissing extends Error {
  override readonly name = 'BytesMissing';
}

/** How many bytes at each end of a file are enough for a frame near its beginning: some seconds of video, and the index. */
const END_BYTES = 16 * 2 ** 20;

/** The latest time of a frame that is near the beginning, in seconds. */
const NEAR_SECONDS = 5;

/** How much at each end of a file in an object store to copy first. undefined: the preview needs all of the file. */
const endsOf = ({ spec: { view }, sources }: PreviewTask): number | undefined =>
  (view === 'frame' || view === 'sheet') && sources.length === 1 && sources[0]?.parts === undefined
    ? END_BYTES
    : undefined;

/** Returns whether the ends of a file are enough. Otherwise, the bytes of the frames are fetched when their places are known. */
const isNearBeginning = ({ view, at }: PreviewSpec): boolean =>
  view === 'frame' && at !== undefined && at <= NEAR_SECONDS;

export function makerHere(
  media: MediaStore,
  tools: Promise<Toolchain | undefined>,
  config: PreviewSettings,
): PreviewMaker {
  const turns = previewTurns(PREVIEWS_AT_ONCE);
  const reserve = previewSpace(config);
  return (task, signal) =>
    turns(task, signal, async (inTurn) => {
      const ends = endsOf(task);
      if (ends === undefined) return make(task, signal, inTurn);
      return make(task, signal, inTurn, ends).catch((error: unknown) => {
        if (!(error instanceof BytesMissing)) throw error;
        return make(task, signal, inTurn);
      });
    });

  /** Makes a preview. `ends`: see `InputStaging.stageFile`. Throws BytesMissing if that may be why it failed. */
  async function make(
    { root, policy, spec, sources }: PreviewTask,
    signal: AbortSignal,
    inTurn: InTurn,
    ends?: number,
  ): Promise<PreviewImage> {
    const found = await tools;
    requireFfprobe(found);
    const { build, catalogue, sandbox, cgroups, workRoot, ffprobePath } = found;
    const timeoutSeconds = Math.min(previewSeconds(config), policy.time ?? Number.POSITIVE_INFINITY);
    // Files are read before the turn of the call, and missing bytes after it. Each has a limit of its own, because the wait between them does not count.
    const staged = readLimit(timeoutSeconds, signal);
    const dir = await mkdtemp(join(workRoot, 'preview-')).catch((error: unknown) => {
      throw stagingProblem(error, sources[0]?.path ?? '', '/path');
    });
    const staging = previewStaging(media, { root, policy, dir, signal: staged.signal, reserve, ends });
    const fetchBytes = async (bytes: readonly ByteRange[]): Promise<void> => {
      const fetched = readLimit(timeoutSeconds, signal);
      await staging.fetchBytes(bytes, fetched.signal).catch((error: unknown) => {
        throw fetched.causeOf(error);
      });
    };
    try {
      const files: Parameters<typeof runPreview>[0]['files'][number][] = [];
      for (const [index, source] of sources.entries()) {
        const mount = await staging.stage(source, index).catch((error: unknown) => {
          throw stagingProblem(staged.causeOf(error), source.path, previewField(index, sources.length));
        });
        files.push({ ...source, logical: mount.logical, mount });
      }
      return await inTurn(() =>
        runPreview({
          ...{ spec, files },
          ...{ ffmpegPath: build.path, ffprobePath, catalogue, cores: CORES },
          ...{ sandbox, workRoot, policy, signal, timeoutSeconds },
          ...(cgroups.kind !== 'none' && { cgroups }),
          ...(staging.isPartial() && !isNearBeginning(spec) && { fetchBytes }),
        }).catch((error: unknown) => {
          // Other problems are about the streams of the file, or about its end.
          const isUnread = error instanceof Problem && error.code === 'INPUT_INVALID';
          if (isUnread && staging.isPartial()) throw new BytesMissing(undefined, { cause: error });
          throw stagingProblem(error, sources.at(-1)?.path ?? '', '/path');
        }),
      );
    } finally {
      await staging.end();
      await rm(dir, { recursive: true, force: true });
    }
  }
}

/** Turns a failure or a full disk into a `Problem`. Returns other errors unchanged. */
function stagingProblem(error: unknown, path: string, field: PreviewField): unknown {
  const failed = isFullDisk(error) ? noSpace(error) : error;
  return failed instanceof JobFailed ? previewProblem(failed.failure, { field, path, cause: failed.cause }) : failed;
}

/** Limits how long files are read. `causeOf`: the failure of this limit if an error is due to it, or else the error. */
function readLimit(seconds: number, signal: AbortSignal) {
  const late = AbortSignal.timeout(seconds * 1000);
  return {
    signal: AbortSignal.any([signal, late]),
    causeOf: (error: unknown): unknown => (late.aborted && !signal.aborted ? stagedTooLong(seconds) : error),
  };
}

const stagedTooLong = (seconds: number): JobFailed =>
  new JobFailed({
    code: 'TIMEOUT',
    message: `Reading the files of this preview took longer than ${seconds} s.`,
    fix: 'Send a smaller file, or retry when the storage is less busy.',
  });

export function makerOnWorkers(
  { tasks, workers }: WorkerTasks,
  config: Pick<PreviewSettings, 'probeTimeoutSeconds'>,
): PreviewMaker {
  const turns = previewTurns(REMOTE_AT_ONCE);
  const seconds = previewSeconds(config) + WORKER_WAIT_SECONDS;
  return async (task, signal) => {
    await requireProber(workers);
    const { clientId, spec, sources } = task;
    const request: RemoteRequest = { spec, sources };
    const image = await turns(task, signal, (inTurn) =>
      inTurn(() => requestTask(tasks, { kind: PREVIEW, clientId, request }, { seconds, signal })),
    );
    const { base64, ...facts } = image as RemoteImage;
    return { ...facts, bytes: Buffer.from(base64, 'base64') };
  };
}
