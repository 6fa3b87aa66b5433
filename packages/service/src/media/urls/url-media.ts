import { link, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AttemptDeferred, type Failure, JobFailed } from '@telecine/contract/domain/failure.ts';
import { whenKnown } from '@telecine/contract/domain/maybe-promise.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { Mount } from '@telecine/contract/domain/plan.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import { isUrl } from '@telecine/contract/domain/url-input.ts';
import pLimit from 'p-limit';
import type { MediaStore, PathStat, Scratch, StagedInput, StagingOptions } from '../../jobs/ports/media-store.ts';
import type { OutgoingClient } from '../../outgoing/outgoing-client.ts';
import { rethrow } from '../errno-codes.ts';
import { failed, storageFailure } from '../job-failures.ts';
import type { ProbeCopies, ProbeCopy } from '../scratch/probe-copies.ts';
import { asStaged, identify, inOrder } from '../staged-inputs.ts';
import { type FileFetch, fetchFile } from './fetch-file.ts';
import { type FetchSpace, fetchSpace } from './fetch-space.ts';

interface UrlMediaOptions {
  /** The engine for all paths that are not URLs. The files that jobs fetch are in its scratch folders too. */
  readonly base: MediaStore;
  readonly client: OutgoingClient;
  /** Keeps the fetched files of probes. */
  readonly copies: ProbeCopies;
  /** How many bytes must stay free on the disk after files are fetched. */
  readonly minFreeBytes: number;
}

interface FetchedInput extends Mount {
  readonly sizeBytes: number;
  readonly isFetched: true;
  /** Removes the fetched file of a probe. undefined for the input of a job. */
  readonly copy?: Pick<ProbeCopy, 'remove'>;
}

/** Adds inputs at URLs to an engine. Fetches the files of a job into its scratch folder. */
export function urlMedia({ base, client, copies, minFreeBytes }: UrlMediaOptions): MediaStore {
  const deps = { client, space: fetchSpace({ freeBytes: base.freeBytes, minFreeBytes }) };
  /** The fetched files of each scratch folder in use, by its name. */
  const fetchedFor = new Map<string, FetchedFiles>();
  const releaseFiles = ({ name }: Scratch): void => {
    fetchedFor.get(name)?.release();
    fetchedFor.delete(name);
  };

  return {
    ...base,
    discard: (scratch) => base.discard(scratch).finally(() => releaseFiles(scratch)),
    // `release` is also called for a scratch folder that is needed later or that could not be removed.
    release: (scratch) => base.release(scratch).finally(() => releaseFiles(scratch)),
    statPaths: (root, paths) => {
      const urls = paths.filter(isUrl);
      if (urls.length === 0) return base.statPaths(root, paths);
      const found = base.statPaths(
        root,
        paths.filter((path) => !isUrl(path)),
      );
      return whenKnown(found, (stats) =>
        inOrder<MediaPath, PathStat>(
          paths,
          isUrl,
          urls.map(() => ({ kind: 'url' })),
          stats,
        ),
      );
    },

    stageUrl: async ({ url, path, logical }, options = {}) => {
      const copy = await copies.add().catch(rethrow((error) => storageFailure('fetching the input', error)));
      const { file } = copy;
      let fetched: FetchedFiles | undefined;
      const remove = (): Promise<void> => copy.remove().finally(() => fetched?.release());
      try {
        fetched = await fetchFiles(deps, [{ url, path, file }], options);
        const [sizeBytes = 0] = fetched.sizes;
        return asStaged(await identify({ logical, hostPath: file, sizeBytes, isFetched: true, copy: { remove } }));
      } catch (error) {
        await remove();
        throw error;
      }
    },
    removeInput: async (input) => {
      if (isFetched(input)) await input.copy?.remove();
      else await base.removeInput(input);
    },

    stage: async (root, scratch, inputs, outputs, options = {}) => {
      const urls = inputs.flatMap(({ url, path, logical }) => (url === undefined ? [] : [{ url, path, logical }]));
      if (urls.length === 0) return base.stage(root, scratch, inputs, outputs, options);
      const owner = jobOf(scratch);
      // Check the space before `base` copies inputs: if the attempt were deferred after that, the next attempt would
      // copy them again.
      if (!(await deps.space.mayBegin(owner))) throw new AttemptDeferred(ROOM_TAKEN);
      const others = inputs.filter(({ url }) => url === undefined);
      // The fraction of the progress for the inputs that are not URLs.
      const share = others.length / inputs.length;
      const found = await base.stage(root, scratch, others, outputs, scaled(options, 0, share));
      const folder = base.scratchFolder(scratch);
      const files = urls.map((one) => ({ ...one, file: join(folder, one.logical) }));
      for (const { file } of files) await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const fetchedFiles = await fetchFiles({ ...deps, owner }, files, scaled(options, share, 1 - share), found);
      fetchedFor.set(scratch.name, fetchedFiles);
      const { sizes } = fetchedFiles;
      const fetched = await Promise.all(
        files.map(({ logical, file }, i) =>
          identify({ logical, hostPath: file, sizeBytes: sizes[i] ?? 0, isFetched: true }),
        ),
      );
      return inOrder(inputs, ({ url }) => url !== undefined, fetched.map(asStaged), found);
    },
    // Leave out fetched inputs: an output cannot overwrite them, because they are not in the storage.
    prepare: (root, scratch, outputs, inputs, options) =>
      base.prepare(
        root,
        scratch,
        outputs,
        inputs.filter((input) => !isFetched(input)),
        options,
      ),
  };
}

/** Returns the job to which a scratch folder belongs. */
const jobOf = ({ name }: Scratch): string => name.slice(0, name.lastIndexOf('.'));

const isFetched = (input: StagedInput): input is StagedInput & FetchedInput => 'isFetched' in input;

/**
 * Returns the options for one part of staging. In the progress of all staging, this part begins at `start` (0 to 1) and
 * takes the fraction `share`.
 */
const scaled = (options: StagingOptions, start: number, share: number): StagingOptions => ({
  ...options,
  ...(options.onProgress && { onProgress: (percent) => options.onProgress?.(100 * start + percent * share) }),
});

/** The maximum number of files that one job fetches at the same time. */
const AT_ONCE = 4;

/** After this number of bytes, a fetch checks the limits and the free disk space again. */
const CHECK_BYTES = 8 * 2 ** 20;

/** The longest possible timer, in ms. Node would fire a longer one at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

interface FetchDeps {
  readonly client: OutgoingClient;
  /** The disk space that all fetches to this disk share. */
  readonly space: FetchSpace;
  /** The job that fetches; see `FetchSpace.open`. */
  readonly owner?: string;
}

interface Running {
  bytes: number;
  total: number | undefined;
  /** The value of `bytes` at the last check. */
  checked: number;
}

interface FetchedFiles {
  /** The sizes in bytes, in the order of the files. */
  readonly sizes: readonly number[];
  /** Ends the reservation of disk space. Call this when the files are removed. */
  release(): void;
}

/**
 * Fetches files. Fetches each URL only once, and creates hard links for further inputs with the same URL. If one fetch
 * fails, removes all files. Throws the errors of `fetchFile` and `checkSizes`, and the failure of the deadline.
 *
 * @param others The sizes of the other inputs, which `checkSizes` gets too.
 */
export async function fetchFiles(
  deps: FetchDeps,
  files: readonly FileFetch[],
  { signal: callerSignal = NEVER, checkSizes = () => {}, onProgress = () => {}, deadline }: StagingOptions,
  others: Parameters<NonNullable<StagingOptions['checkSizes']>>[0] = [],
): Promise<FetchedFiles> {
  const firsts = [...new Map(files.toReversed().map((file) => [file.url, file])).values()];
  const running = new Map(
    firsts.map(({ url }): [string, Running] => [url, { bytes: 0, total: undefined, checked: 0 }]),
  );
  const ended = new AbortController();
  const late = deadline && AbortSignal.timeout(Math.min(deadline.seconds * 1000, MAX_TIMER_MS));
  const signal = AbortSignal.any([callerSignal, ended.signal, ...(late ? [late] : [])]);

  const countBytes = () => {
    const all = [...running.values()];
    const written = all.reduce((sum, { bytes }) => sum + bytes, 0);
    return { written, missing: all.reduce((sum, file) => sum + expectedSize(file), 0) - written };
  };
  const share = deps.space.open(countBytes, deps.owner);
  const sizes = () => files.map(({ url }) => ({ sizeBytes: expectedSize(running.get(url)) }));
  const check = async (one: Running): Promise<void> => {
    one.checked = one.bytes;
    checkSizes([...others, ...sizes()]);
    const fit = await share.check([...running.values()].some(({ total }) => total === undefined));
    if (fit === 'full') throw new JobFailed(NO_ROOM);
    if (fit === 'taken') throw new AttemptDeferred(ROOM_TAKEN);
  };
  const report = (): void => {
    const parts = [...running.values()].map(({ bytes, total }) => (total ? Math.min(1, bytes / total) : 0));
    onProgress((100 * parts.reduce((sum, part) => sum + part, 0)) / parts.length);
  };

  const limit = pLimit(AT_ONCE);
  const results = await Promise.allSettled(
    firsts.map((file) =>
      limit(async () => {
        const one = running.get(file.url);
        if (one === undefined) return;
        try {
          await rm(file.file, { force: true });
          const onBytes = async (bytes: number, total: number | undefined): Promise<void> => {
            const isNew = total !== one.total || bytes < one.bytes;
            one.bytes = bytes;
            one.total = total;
            if (isNew || bytes - one.checked >= CHECK_BYTES) await check(one);
            report();
          };
          one.bytes = await fetchFile(deps.client, file, { signal, onBytes });
          one.total = one.bytes;
          await check(one);
          report();
        } catch (error) {
          ended.abort(error);
          throw error;
        }
      }),
    ),
  );
  try {
    callerSignal.throwIfAborted();
    if (late?.aborted === true && deadline)
      throw failed(deadline.failure.code, deadline.failure.message, deadline.failure.fix);
    ended.signal.throwIfAborted();
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    for (const { url, file } of files) {
      const first = firsts.find((one) => one.url === url);
      if (first === undefined || first.file === file) continue;
      await rm(file, { force: true });
      await link(first.file, file);
    }
    return { sizes: sizes().map(({ sizeBytes }) => sizeBytes), release: share.end };
  } catch (error) {
    await Promise.all(files.map(({ file }) => rm(file, { force: true }).catch(() => undefined)));
    share.end();
    throw storageFailure('fetching the inputs', error);
  }
}

const NO_ROOM: Failure = {
  code: 'NO_SPACE',
  message: 'The disk of the worker has no room for the inputs that are fetched from URLs.',
};

/** Why a fetch waits for other fetches. */
const ROOM_TAKEN: Failure = {
  code: 'NO_SPACE',
  message: 'The disk of the worker has no room for the inputs: files of other jobs use it.',
};

const expectedSize = (file: Running | undefined): number => Math.max(file?.bytes ?? 0, file?.total ?? 0);
