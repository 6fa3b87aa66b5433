import { link, rm } from 'node:fs/promises';
import { AttemptDeferred, type Failure, JobFailed } from '@telecine/contract/domain/failure.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import pLimit from 'p-limit';
import type { StagingOptions } from '../../jobs/ports/media-store.ts';
import type { OutgoingClient } from '../../outgoing/outgoing-client.ts';
import { failed, storageFailure } from '../job-failures.ts';
import { type FetchedFile, type FileFetch, fetchFile } from './fetch-file.ts';
import type { FetchSpace } from './fetch-space.ts';

/** The maximum number of files that one job fetches at the same time. */
const AT_ONCE = 4;

/** After this number of bytes, a fetch checks the limits and the free disk space again. */
const CHECK_BYTES = 8 * 2 ** 20;

/** The longest possible timer, in ms. Node would fire a longer one at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface FetchDeps {
  readonly client: OutgoingClient;
  /** The disk space that all fetches to this disk share. */
  readonly space: FetchSpace;
}

interface Running {
  bytes: number;
  total: number | undefined;
  /** undefined: it is not complete. */
  fetched: FetchedFile | undefined;
  /** The value of `bytes` at the last check. */
  checked: number;
}

export interface FetchedFiles {
  /** The fetched files, in order. */
  readonly files: readonly FetchedFile[];
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
  options: StagingOptions,
  others: Parameters<NonNullable<StagingOptions['checkSizes']>>[0] = [],
): Promise<FetchedFiles> {
  const { checkSizes = () => {}, onProgress = () => {} } = options;
  const firsts = [...new Map(files.toReversed().map((file) => [file.url, file])).values()];
  const running = new Map(
    firsts.map(({ url }): [string, Running] => [url, { bytes: 0, total: undefined, fetched: undefined, checked: 0 }]),
  );
  const ended = new AbortController();
  const limited = withinDeadline(options);
  const signal = AbortSignal.any([limited.signal, ended.signal]);

  const countBytes = () => {
    const all = [...running.values()];
    const written = all.reduce((sum, { bytes }) => sum + bytes, 0);
    return { written, missing: all.reduce((sum, file) => sum + expectedSize(file), 0) - written };
  };
  const share = deps.space.open(countBytes);
  const sizes = () => files.map(({ url }) => ({ sizeBytes: expectedSize(running.get(url)) }));
  const check = async (one: Running): Promise<void> => {
    one.checked = one.bytes;
    checkSizes([...others, ...sizes()]);
    requireRoom(await share.check([...running.values()].some(({ total }) => total === undefined)));
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
          const fetched = await fetchFile(deps.client, file, { signal, onBytes });
          one.bytes = fetched.sizeBytes;
          one.total = fetched.sizeBytes;
          one.fetched = fetched;
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
    limited.throwIfOver();
    ended.signal.throwIfAborted();
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    for (const { url, file } of files) {
      const first = firsts.find((one) => one.url === url);
      if (first === undefined || first.file === file) continue;
      await rm(file, { force: true });
      await link(first.file, file);
    }
    return {
      files: files.map(({ url }) => running.get(url)?.fetched ?? { sizeBytes: 0 }),
      release: share.end,
    };
  } catch (error) {
    await Promise.all(files.map(({ file }) => rm(file, { force: true }).catch(() => undefined)));
    share.end();
    throw storageFailure('fetching the inputs', error);
  }
}

/** Ends a fetch when its caller does, or at its deadline. `throwIfOver`: throws the reason of the caller, or the failure of the deadline. */
function withinDeadline({ signal = NEVER, deadline }: StagingOptions) {
  const late = deadline && AbortSignal.timeout(Math.min(deadline.seconds * 1000, MAX_TIMER_MS));
  return {
    signal: late === undefined ? signal : AbortSignal.any([signal, late]),
    throwIfOver: (): void => {
      signal.throwIfAborted();
      if (late?.aborted === true && deadline)
        throw failed(deadline.failure.code, deadline.failure.message, deadline.failure.fix);
    },
  };
}

/** Throws if there is no room for a fetch on the disk. */
function requireRoom(fit: Awaited<ReturnType<ReturnType<FetchSpace['open']>['check']>>): void {
  if (fit === 'full') throw new JobFailed(NO_ROOM);
  if (fit === 'taken') throw new AttemptDeferred(ROOM_TAKEN);
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
