import { callQuota } from '../../jobs/call-quota.ts';
import { fairSlots } from '../../jobs/fair-slots.ts';
import type { PreviewTask } from '../../previews/ports.ts';

/** A page of a file list shows many pictures at once. */
const CALLS = { perClient: 32, total: 128 } as const;

/** Anyone may have a link, so these are fewer, and leave those of the clients their room. */
const LINK_CALLS = { perClient: 16, total: 64 } as const;

/** Who has the turn of all links. No client has this id. */
const LINKS = '/links';

/**
 * Runs `work` when it is its turn. Clients take turns; all links of all clients together have one turn, and run one call at a time.
 * Throws RATE_LIMITED or UNAVAILABLE at once if too many calls are there, and the reason of `signal` when it is aborted.
 */
export type PreviewTurns = <T>(
  task: Pick<PreviewTask, 'callerId' | 'isByLink'>,
  signal: AbortSignal,
  work: () => Promise<T>,
) => Promise<T>;

/** Creates the turns. `slots`: how many calls run at a time. */
export function previewTurns(slots: number): PreviewTurns {
  const quota = callQuota('previews', CALLS);
  const linkQuota = callQuota('previews by links', LINK_CALLS);
  const turns = fairSlots({ slots });
  const linkTurns = fairSlots({ slots: 1 });
  return ({ callerId, isByLink }, signal, work) =>
    isByLink
      ? linkQuota(callerId, () => linkTurns(callerId, signal, () => turns(LINKS, signal, work)))
      : quota(callerId, () => turns(callerId, signal, work));
}
