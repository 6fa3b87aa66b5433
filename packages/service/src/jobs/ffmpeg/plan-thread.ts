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

/** Plans as `draftOrPlan` does, in a thread of its own. Throws `PlanTooLarge`. `deadlineMs`: the maximum time for the plan. */
export async function planInThread(
  task: PlanTask,
  catalogues: readonly Catalogue[],
  deadlineMs: number,
): Promise<DraftOrPlan> {
  const { pathPrefix, grants, urls } = task.scope;
  const message: PlanMessage = {
    task: { ...task, scope: { pathPrefix, grants } },
    catalogues,
    ...(urls && { checkedUrls: new Map(urlsOf(task.request).map((url) => [url, urls.check(url)])) }),
  };
  // Pass no environment variables: the thread needs none, and they may contain secrets.
  const worker = new Worker(PROGRAM, { name: 'plan', workerData: message, resourceLimits: MEMORY, env: {} });
  // The thread may still report an error while it is terminated. Without a listener, that would end the process.
  worker.on('error', () => {});
  try {
    const [planned] = await once(worker, 'message', { signal: AbortSignal.timeout(deadlineMs) });
    return planned as DraftOrPlan;
  } catch (error) {
    if (errnoOf(error) === 'ERR_WORKER_OUT_OF_MEMORY')
      throw new PlanTooLarge('Planning the request takes too much memory.');
    const isLate = error instanceof Error && error.name === 'AbortError';
    throw isLate ? new PlanTooLarge(`Planning the request takes longer than ${deadlineMs} ms.`) : error;
  } finally {
    await worker.terminate();
  }
}

const urlsOf = ({ input, inputs = [] }: ConversionRequest): readonly string[] =>
  [input, ...inputs.map(pathOfInput)].filter((path) => path !== undefined && isUrl(path)) as string[];
