import { type Build, BuildUnavailable } from './build.ts';

/** The maximum number of concurrent queries. Each query is a process that loads all of ffmpeg's libraries. */
const MAX_CONCURRENT_QUERIES = 4;

/** How long queries wait while no other is answered, in milliseconds. On a busy machine, an answer takes seconds. */
const STALL_MS = 10_000;

/** For how long a build that does not answer is asked nothing, in seconds. */
const SILENT_SECONDS = 10;

/** For how long a query that failed is not run again, in seconds. */
const FAILED_SECONDS = 60;

/** A query without an answer. The message says which. */
export class QueryFailed extends Error {
  override readonly name = 'QueryFailed';
}

/**
 * Runs the queries of a build, a few at a time. Clients choose what is asked, and an ffmpeg may hang: so what waits is rejected with
 * `BuildUnavailable` if nothing is answered, and what has failed is not asked again for a while. Names come from the lists of
 * the build, so what is remembered of them is bounded.
 *
 * @param onFault Called when a query fails, with `QueryFailed`.
 * @param stampOf What tells the file of the program from another one. What has failed with one file is asked again with the next.
 * @returns Runs a query. `subject`: what of a request it is about, if anything: `option "crf"`. `signal`: ends it, and says nothing
 *   of the build.
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
  /** Begins to count anew how long those that wait have no answer. */
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
      // The program was replaced meanwhile, which says nothing of the query.
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
      : { what: `did not answer what it knows of the ${subject}`, fix: 'Send the request without it' };
  return new BuildUnavailable(build, fault, FAILED_SECONDS);
};
