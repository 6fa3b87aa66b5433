import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type ConversionRequest, pathOfInput } from '@telecine/contract/domain/conversion.ts';
import { errnoOf } from '@telecine/contract/domain/errno.ts';
import type { PathError } from '@telecine/contract/domain/media-path.ts';
import { isUrl } from '@telecine/contract/domain/url-input.ts';
import type { Catalogue } from '@telecine/ffmpeg/catalogue/catalogue.ts';
import { type DraftOrPlan, type PlanTask, PlanTooLarge } from '@telecine/ffmpeg/plan/plan-step.ts';

/**
 * The program of the thread. It is next to this file, both in `src` and in `dist`. If you rename it, also change its
 * name in rolldown.config.ts.
 */
const PROGRAM = join(import.meta.dirname, `plan-thread-main${extname(import.meta.filename)}`);

/** The maximum memory of the thread. The largest requests need a tenth of it. */
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 } as const;

/** What the thread plans. */
export interface PlanMessage {
  readonly task: PlanTask;
  readonly catalogues: readonly Catalogue[];
  /**
   * The results of `UrlInputs.check` for the URLs of the request. They are computed before they are sent, because a
   * function cannot be sent to a thread.
   */
  readonly checkedUrls?: ReadonlyMap<string, PathError | undefined>;
}

/** How long the thread waits for another plan before it ends, which frees its memory. */
const IDLE_MS = 30_000;

/** A thread that plans one request at a time. A plan starts it if it does not run. */
export class PlanThread {
  readonly #deadlineMs: number;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  /** @param deadlineMs The maximum time for a plan. */
  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs;
  }

  /** Plans as `draftOrPlan` does. Call this again only when the previous call has ended. Throws `PlanTooLarge`. */
  async plan(task: PlanTask, catalogues: readonly Catalogue[]): Promise<DraftOrPlan> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    const { pathPrefix, grants, urls } = task.scope;
    const message: PlanMessage = {
      task: { ...task, scope: { pathPrefix, grants } },
      catalogues,
      ...(urls && { checkedUrls: new Map(urlsOf(task.request).map((url) => [url, urls.check(url)])) }),
    };
    // Keep the process alive, even if it waits only for this answer.
    this.#worker.ref();
    try {
      this.#worker.postMessage(message);
      const [planned] = await once(this.#worker, 'message', { signal: AbortSignal.timeout(this.#deadlineMs) });
      this.#worker.unref();
      this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref();
      return planned as DraftOrPlan;
    } catch (error) {
      await this.#end();
      if (errnoOf(error) === 'ERR_WORKER_OUT_OF_MEMORY')
        throw new PlanTooLarge('Planning the request takes too much memory.');
      const isLate = error instanceof Error && error.name === 'AbortError';
      throw isLate ? new PlanTooLarge(`Planning the request takes longer than ${this.#deadlineMs} ms.`) : error;
    }
  }

  #start(): Worker {
    // Pass no environment variables: the thread needs none, and they may contain secrets.
    const worker = new Worker(PROGRAM, { name: 'plan', resourceLimits: MEMORY, env: {} });
    // The thread may still report an error while it is terminated. Without a listener, that would end the process.
    worker
      .on('error', () => {})
      .once('exit', () => {
        if (this.#worker === worker) this.#worker = undefined;
      });
    return worker;
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

const urlsOf = ({ input, inputs = [] }: ConversionRequest): readonly string[] =>
  [input, ...inputs.map(pathOfInput)].filter((path) => path !== undefined && isUrl(path)) as string[];
