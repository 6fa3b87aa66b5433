import { link, rm } from 'node:fs/promises';
import pLimit from 'p-limit';
import { AttemptDeferred, type Failure, JobFailed } from '../../domain/failure.ts';
import type { StagingOptions } from '../../jobs/ports/media-store.ts';
import type { OutgoingClient } from '../../outgoing/outgoing-client.ts';
import { failed, storageFailure } from '../job-failures.ts';
import { type FileFetch, fetchFile } from './fetch-file.ts';
import type { FetchSpace } from './fetch-space.ts';

/** Files of one job that are fetched at the same time. */
const AT_ONCE = 4;

/** How often limits and the free disk space are checked. */
const CHECK_BYTES = 8 * 2 ** 20;

/** Node fires longer timers at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface FetchDeps {
  readonly client: OutgoingClient;
  /** That of all fetches to this disk. */
  readonly space: FetchSpace;
  /** The job whose inputs are fetched; see `FetchSpace.open`. */
  readonly owner?: string;
}

/** One of several files that are being fetched. */
interface Running {
  bytes: number;
  total: number | undefined;
  /** The bytes at the last check. */
  checked: number;
}

/** Files that were fetched. */
export interface FetchedFiles {
  /** In bytes, in the order of the files. */
  readonly sizes: readonly number[];
  /** Other fetches no longer expect that the space of these files becomes free. Call it when the files are removed. */
  release(): void;
}

/**
 * Fetches files, each URL once: further files of the same URL become hard links. Removes what it has written if one fails.
 * Throws what `fetchFile` throws, what `checkSizes` throws, and the failure of the deadline.
 *
 * @param others The sizes of inputs from elsewhere, for `checkSizes`.
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
          // The first error counts; the others end because of it.
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
      if (first !== undefined && first.file !== file) await linkAgain(first.file, file);
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

/** Why a fetch waits for others. */
export const ROOM_TAKEN: Failure = {
  code: 'NO_SPACE',
  message: 'The disk of the worker has no room for the inputs beside the files of other jobs.',
};

const NEVER = new AbortController().signal;

const expectedSize = (file: Running | undefined): number => Math.max(file?.bytes ?? 0, file?.total ?? 0);

async function linkAgain(file: string, name: string): Promise<void> {
  await rm(name, { force: true });
  await link(file, name);
}
