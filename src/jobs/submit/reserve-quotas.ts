import type { ClientLimits } from '../../domain/client-limits.ts';
import { dayOf, type QuotaUse, quotaExceeded } from '../../domain/quotas.ts';
import type { Tx } from '../ports/transactions.ts';
import type { DailyUse, UsageStore } from '../ports/usage-store.ts';

/** The quotas of a client that submissions use. */
export type DailyQuotas = Pick<ClientLimits, 'jobs' | 'media'>;

/** What one submission uses of the quotas of its client. */
export interface QuotaRequest {
  readonly clientId: string;
  readonly quotas: DailyQuotas;
  readonly mediaSeconds: number;
}

/** The daily quotas of a client, and what is used of them. */
export const dailyQuotas = ({ jobs, media }: DailyQuotas, used: DailyUse): readonly QuotaUse[] => [
  { name: 'jobs', used: used.jobs, ...(jobs !== undefined && { limit: jobs }) },
  { name: 'media', used: used.mediaSeconds, ...(media !== undefined && { limit: media }) },
];

/**
 * Throws QUOTA_EXCEEDED if not all submissions of a client fit into what is left of its day. `used`: without them.
 */
export function checkQuotas(submissions: readonly QuotaRequest[], used: DailyUse, at: string): void {
  let { jobs, mediaSeconds } = used;
  for (const submission of submissions) {
    const wanted: Record<string, number> = { jobs: 1, media: submission.mediaSeconds };
    for (const use of dailyQuotas(submission.quotas, { jobs, mediaSeconds })) {
      const needed = wanted[use.name] ?? 0;
      if (use.limit !== undefined && needed > 0 && use.used + needed > use.limit) throw quotaExceeded(use, needed, at);
    }
    jobs += 1;
    mediaSeconds += submission.mediaSeconds;
  }
}

/**
 * Adds submissions to what their clients use today, in the transaction that stores them. Throws QUOTA_EXCEEDED if that is
 * more than a quota allows: the transaction then stores none of them.
 */
export async function reserveQuotas(
  usage: Pick<UsageStore, 'reserve'>,
  tx: Tx,
  submissions: readonly QuotaRequest[],
  at: string,
): Promise<void> {
  const byClient = Map.groupBy(submissions, ({ clientId }) => clientId);
  // In one order everywhere: a day is locked, and two transactions must not wait for each other.
  for (const clientId of [...byClient.keys()].toSorted()) {
    const own = byClient.get(clientId) ?? [];
    const added = { jobs: own.length, mediaSeconds: own.reduce((sum, { mediaSeconds }) => sum + mediaSeconds, 0) };
    const total = await usage.reserve(tx, clientId, dayOf(at), added);
    checkQuotas(own, { jobs: total.jobs - added.jobs, mediaSeconds: total.mediaSeconds - added.mediaSeconds }, at);
  }
}
