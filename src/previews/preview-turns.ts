import { callQuota, fairSlots } from '../jobs/call-limits.ts';
import type { PreviewTask } from './ports.ts';

/** A page of a file list shows many pictures at once. */
const CALLS = { perClient: 32, total: 128 } as const;

/** Anyone may have a link, so these are fewer, and leave those of the clients their room. */
const LINK_CALLS = { perClient: 16, total: 64 } as const;

/** Who has the turn of all links. No client has this id. */
export const LINKS = '/links';

/**
 * How many calls stage their files, or have them staged, for `slots` calls that run: staging waits for disks and object stores, and
 * long ones of a client must not keep others from theirs.
 */
export const stagingSlots = (slots: number) => ({ slots: 2 * slots + 2, perClient: slots + 1 }) as const;

/** Runs `work`, which uses the processor, when it is the turn of the call. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Runs `work`, which stages its files and then calls `inTurn`, when it may. Clients take turns, in staging and in running; all links of
 * all clients together have one turn, and run one call at a time. Throws RATE_LIMITED or UNAVAILABLE at once if too many calls are there,
 * and the reason of `signal` when it is aborted.
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
