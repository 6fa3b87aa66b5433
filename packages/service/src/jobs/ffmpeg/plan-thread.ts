import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type ConversionRequest, pathOfInput } from '@telecine/contract/domain/conversion.ts';
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

/** A task for the thread. Each catalogue is sent once; later messages refer to it by its number. */
export interface PlanMessage {
  readonly task: PlanTask;
  readonly numbers: readonly number[];
  readonly added: readonly (readonly [number: number, catalogue: Catalogue])[];
  /**
   * The results of `UrlInputs.check` for the URLs of the request. They are computed before they are sent, because a
   * function cannot be sent to a thread.
   */
  readonly checkedUrls?: ReadonlyMap<string, PathError | undefined>;
}

export type PlanAnswer = { readonly planned: DraftOrPlan } | { readonly error: unknown };

interface PlanThreadOptions {
  readonly deadlineMs: number;
  /** How long the thread waits for work before it ends. */
  readonly idleMs: number;
}

interface RunningThread {
  readonly worker: Worker;
  catalogues: Map<Catalogue, number>;
}

/**
 * A thread that plans one request at a time. The first request starts it, and the next one after a plan took too long.
 */
export class PlanThread implements AsyncDisposable {
  readonly #options: PlanThreadOptions;
  #thread: RunningThread | undefined;
  #idle: NodeJS.Timeout | undefined;
  #catalogues = 0;

  constructor(options: PlanThreadOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#thread !== undefined;
  }

  /** Plans as `draftOrPlan` does. Call this again only when the previous call has ended. Throws `PlanTooLarge`. */
  async plan(task: PlanTask, catalogues: readonly Catalogue[]): Promise<DraftOrPlan> {
    clearTimeout(this.#idle);
    this.#thread ??= this.#start();
    const thread = this.#thread;
    const numbers = new Map(catalogues.map((one) => [one, thread.catalogues.get(one) ?? ++this.#catalogues]));
    const added = [...numbers].filter(([one]) => !thread.catalogues.has(one));
    thread.catalogues = numbers;
    const { pathPrefix, grants, urls } = task.scope;
    const answer = await this.#ask(thread.worker, {
      task: { ...task, scope: { pathPrefix, grants } },
      numbers: [...numbers.values()],
      added: added.map(([catalogue, number]) => [number, catalogue]),
      ...(urls && { checkedUrls: new Map(urlsOf(task.request).map((url) => [url, urls.check(url)])) }),
    });
    this.#idle = setTimeout(() => void this.#end(), this.#options.idleMs).unref();
    if ('error' in answer) throw answer.error;
    return answer.planned;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
  }

  #start(): RunningThread {
    // Pass no environment variables: the thread needs none, and they may contain secrets.
    const worker = new Worker(PROGRAM, { name: 'plan', resourceLimits: MEMORY, env: {} });
    worker.unref();
    // Without a listener, an error of the thread between two plans would end the process.
    worker.on('error', () => {});
    worker.once('exit', () => {
      if (this.#thread?.worker === worker) this.#thread = undefined;
    });
    return { worker, catalogues: new Map() };
  }

  /** Sends a message and waits for the answer. Ends the thread if it does not answer. */
  async #ask(worker: Worker, message: PlanMessage): Promise<PlanAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<PlanAnswer>();
    const onError = (error: NodeJS.ErrnoException): void =>
      reject(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? new PlanTooLarge('Planning the request takes too much memory.')
          : error,
      );
    const onExit = (): void => reject(new Error('The thread that plans requests ended before it answered.'));
    const deadline = setTimeout(
      () => reject(new PlanTooLarge(`Planning the request takes longer than ${this.#options.deadlineMs} ms.`)),
      this.#options.deadlineMs,
    );
    worker.once('message', resolve).once('error', onError).once('exit', onExit);
    const stopWaiting = (): void => {
      clearTimeout(deadline);
      worker.off('message', resolve).off('error', onError).off('exit', onExit).unref();
    };
    // Keep the process alive, even if it waits only for this answer.
    worker.ref();
    try {
      worker.postMessage(message);
      const answer = await promise;
      stopWaiting();
      return answer;
    } catch (error) {
      // Stop listening before `#end` makes the thread exit: this exit is not an error.
      stopWaiting();
      await this.#end();
      throw error;
    }
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const { worker } = this.#thread ?? {};
    this.#thread = undefined;
    await worker?.terminate();
  }
}

const urlsOf = ({ input, inputs = [] }: ConversionRequest): readonly string[] =>
  [input, ...inputs.map(pathOfInput)].filter((path) => path !== undefined && isUrl(path)) as string[];
