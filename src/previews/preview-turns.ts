import { callQuota, fairSlots } from '../jobs/call-limits.ts';
import type { PreviewTask } from './preview-task.ts';

/** A page of a file list shows many images at once. */
const CALLS = { perClient: 32, total: 128 } as const;

/** Anyone may have a link, so links get fewer calls than clients. */
const LINK_CALLS = { perClient: 16, total: 64 } as const;

/** The owner of the turns of all links. No client has this id. */
export const LINKS = '/links';

/** How many calls stage files for `slots` running calls. More, because staging waits for storage. */
export const stagingSlots = (slots: number) => ({ slots: 2 * slots + 2, perClient: slots + 1 }) as const;

/** Runs `work`, which uses the processor, when it is the turn of the call. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Runs `work`, which stages files and then calls `inTurn`. Clients take turns in staging and in running; all links
 * together have one turn and run one call at a time. Throws RATE_LIMITED or UNAVAILABLE at once for too many calls, and
 * the reason of `signal`.
 */
export type PreviewTurns = <T>(
  task: Pick<PreviewTask, 'callerId' | 'isByLink'>,
  signal: AbortSignal,
  work: (inTurn: InTurn) => Promise<T>,
) => Promise<T>;

/** Creates the turns. `slots`: how many calls run at a time. */
export function previewTurns(slots: number): PreviewTurns {
  const quota = callQuota('previews', CALLS);
  const linkQuota = callQuota('previews by links', LINK_CALLS);
  const staging = fairSlots(stagingSlots(slots));
  const turns = fairSlots({ slots });
  const linkTurns = fairSlots({ slots: 1 });
  return ({ callerId, isByLink }, signal, work) => {
    const owner = isByLink ? LINKS : callerId;
    const run = () => staging(owner, signal, () => work((inTurn) => turns(owner, signal, inTurn)));
    return isByLink ? linkQuota(callerId, () => linkTurns(callerId, signal, run)) : quota(callerId, run);
  };
}
