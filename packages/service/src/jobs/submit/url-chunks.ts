import { callQuota } from '@telecine/contract/domain/call-quota.ts';
import type { Caller } from '@telecine/contract/domain/client.ts';
import { fileInputs, type Plan } from '@telecine/contract/domain/plan.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import { isWhole, type WholeReason } from '../ports/chunk-maker.ts';
import type { InputStaging } from '../ports/media-store.ts';

/**
 * Returns why a plan with an input at a URL would run whole although its request asks for chunks. undefined: its server
 * sends parts, or the plan has no such input. Throws RATE_LIMITED, UNAVAILABLE, and the reason of `hangUp`.
 */
export type UrlChunkCheck = (
  caller: Pick<Caller, 'clientId'>,
  plan: Pick<Plan, 'chunks' | 'inputs'>,
  hangUp?: AbortSignal,
) => Promise<WholeReason | undefined>;

/** How many dry runs may wait for servers at the same time. */
const CALLS = { perClient: 4, total: 32 };

/** How long a dry run waits for a server, in ms. */
const MAX_WAIT_MS = 5000;

/** Creates the check that dry runs make. It sends one request for one byte. undefined: the engine fetches no URLs. */
export function urlChunkCheck({ checkRanges }: Pick<InputStaging, 'checkRanges'>): UrlChunkCheck | undefined {
  if (checkRanges === undefined) return undefined;
  const quota = callQuota('dry runs of chunks from URLs', CALLS);
  return async ({ clientId }, { chunks, inputs }, hangUp = NEVER) => {
    const input = fileInputs(inputs).find(({ url }) => url !== undefined);
    if (chunks === undefined || isWhole(chunks) || input?.url === undefined) return undefined;
    const { url, path } = input;
    return quota(clientId, async () => {
      const found = await checkRanges({ url, path }, { signal: hangUp, isQuick: true, maxWaitMs: MAX_WAIT_MS });
      return isWhole(found) ? found : undefined;
    });
  };
}
