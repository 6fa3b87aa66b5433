import {
  type ClientLimits,
  type DailyQuotaName,
  dayOf,
  type QuotaUse,
  quotaExceeded,
} from '../../domain/client-limits.ts';
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
export const dailyQuotas = ({ jobs, media }: DailyQuotas, used: DailyUse): readonly QuotaUse<DailyQuotaName>[] => [
  { name: 'jobs', used: used.jobs, ...(jobs !== undefined && { limit: jobs }) },
  { name: 'media', used: used.mediaSeconds, ...(media !== undefined && { limit: media }) },
];

/** Throws QUOTA_EXCEEDED if the submissions of a client together do not fit into what is left of its day. `used`: without them. */
export function checkQuotas(submissions: readonly QuotaRequest[], used: DailyUse, at: string): void {
  const needs = sumOf(submissions);
  const wanted: Readonly<Record<DailyQuotaName, number>> = { jobs: needs.jobs, media: needs.mediaSeconds };
  for (const { quotas } of submissions)
    for (const use of dailyQuotas(quotas, used)) {
      const needed = wanted[use.name];
      if (use.limit !== undefined && needed > 0 && use.used + needed > use.limit) throw quotaExceeded(use, needed, at);
    }
}

const sumOf = (submissions: readonly QuotaRequest[]): DailyUse => ({
  jobs: submissions.length,
  mediaSeconds: submissions.reduce((sum, { mediaSeconds }) => sum + mediaSeconds, 0),
});

/**
 * Adds submissions to what their clients use today, in the transaction that stores them. Returns a check that throws
 * QUOTA_EXCEEDED if that is more than a quota allows. Call it once all statements of the transaction have ended: none may
 * still run when the error rolls the transaction back.
 */
export async function reserveQuotas(
  usage: Pick<UsageStore, 'reserve'>,
  tx: Tx,
  submissions: readonly QuotaRequest[],
  at: string,
): Promise<() => void> {
  const byClient = Map.groupBy(submissions, ({ clientId }) => clientId);
  const checks: (() => void)[] = [];
  // In one order everywhere: a day is locked, and two transactions must not wait for each other.
  for (const clientId of [...byClient.keys()].toSorted()) {
    const own = byClient.get(clientId) ?? [];
    const added = sumOf(own);
    const total = await usage.reserve(tx, clientId, dayOf(at), added);
    const before = { jobs: total.jobs - added.jobs, mediaSeconds: total.mediaSeconds - added.mediaSeconds };
    checks.push(() => checkQuotas(own, before, at));
  }
  return () => {
    for (const check of checks) check();
  };
}
