import { type Build, BuildUnavailable } from './build.ts';

/** Low, because each query is a process that loads all libraries of ffmpeg. */
const MAX_CONCURRENT_QUERIES = 4;

/** How long queries may wait in the queue while no query gets an answer, in milliseconds. On a busy machine, an answer takes seconds. */
const STALL_MS = 10_000;

/** For so many seconds, a build that did not answer gets no queries. */
const SILENT_SECONDS = 10;

/** For so many seconds, a failed query is not repeated. */
const FAILED_SECONDS = 60;

/** ffmpeg did not answer a query. */
export class QueryFailed extends Error {
  override readonly name = 'QueryFailed';
}

/**
 * Runs the queries of a build, a few at a time. ffmpeg may hang, and clients choose the queries. Therefore waiting queries are rejected
 * with `BuildUnavailable` once no query gets an answer, and a failed query is not repeated for a while. The keys of failed queries stay in
 * memory. They come from the lists of the build, so their number is bounded.
 *
 * @param onFault Called when a query fails.
 * @param stampOf Identifies the program file. Once the file has changed, failed queries may run again.
 * @returns A function that runs a query. `subject`: the name of the query in messages, such as `option "crf"`. `signal`: aborts the query,
 * which does not count as a fault of the build.
 */
export function buildQueries(
  build: Pick<Build, 'version'>,
  onFault: (error: QueryFailed) => void,
  stampOf: () => string | undefined = () => undefined,
): <T>(key: string, query: () => Promise<T>, subject?: string, signal?: AbortSignal) => Promise<T> {
  const waiting = new Set<{ readonly start: () => void; readonly reject: (error: Error) => void }>();
  const failedUntil = new Map<string, number>();
  let running = 0;
  let failuresInRow = 0;
  let silentUntil = Number.NEGATIVE_INFINITY;
  let stamp = stampOf();
  let stall: NodeJS.Timeout | undefined;

  const silence = (): void => {
    silentUntil = performance.now() + SILENT_SECONDS * 1000;
    failuresInRow = 0;
    for (const one of waiting) one.reject(noAnswer(build));
    waiting.clear();
    watch();
  };
  /** Restarts the timer that rejects waiting queries. */
  const watch = (): void => {
    clearTimeout(stall);
    stall = waiting.size === 0 ? undefined : setTimeout(silence, STALL_MS).unref();
  };
  const forgetFormerProgram = (): void => {
    const now = stampOf();
    if (now === stamp) return;
    stamp = now;
    failedUntil.clear();
    failuresInRow = 0;
    silentUntil = Number.NEGATIVE_INFINITY;
  };
  const rejectFailed = (key: string, subject: string | undefined): void => {
    const now = performance.now();
    if (now < silentUntil) throw noAnswer(build);
    if (now < (failedUntil.get(key) ?? now)) throw notAnswered(build, subject);
    failedUntil.delete(key);
  };
  const release = (): void => {
    running -= 1;
    const [next] = waiting;
    if (next === undefined) return;
    waiting.delete(next);
    next.start();
  };
  const inTurn = (): Promise<void> | undefined => {
    if (running < MAX_CONCURRENT_QUERIES) {
      running += 1;
      return undefined;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const start = (): void => {
      running += 1;
      resolve();
    };
    waiting.add({ start, reject });
    if (stall === undefined) watch();
    return promise;
  };

  return async (key, query, subject, signal) => {
    forgetFormerProgram();
    rejectFailed(key, subject);
    await inTurn();
    try {
      const answer = await query();
      failuresInRow = 0;
      watch();
      return answer;
    } catch (error) {
      // Another program replaced ffmpeg during the query, so the query does not count as failed.
      if (error instanceof BuildUnavailable) throw error;
      signal?.throwIfAborted();
      failedUntil.set(key, performance.now() + FAILED_SECONDS * 1000);
      failuresInRow += 1;
      if (failuresInRow >= MAX_CONCURRENT_QUERIES) silence();
      onFault(new QueryFailed(`ffmpeg ${build.version} did not answer the query "${key}".`, { cause: error }));
      throw notAnswered(build, subject);
    } finally {
      release();
    }
  };
}

const noAnswer = (build: Pick<Build, 'version'>): BuildUnavailable =>
  new BuildUnavailable(build, { what: 'does not answer' }, SILENT_SECONDS);

const notAnswered = (build: Pick<Build, 'version'>, subject: string | undefined): BuildUnavailable => {
  const fault =
    subject === undefined
      ? { what: 'did not answer' }
      : { what: `did not describe the ${subject}`, fix: `Send the request without the ${subject}` };
  return new BuildUnavailable(build, fault, FAILED_SECONDS);
};
