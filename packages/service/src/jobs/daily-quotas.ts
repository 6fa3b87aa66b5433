import { batchTooLarge } from '@telecine/contract/domain/batch.ts';
import { allows, type Caller } from '@telecine/contract/domain/client.ts';
import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import {
  type DailyQuotaName,
  dayOf,
  nextDay,
  type QuotaUse,
  quotaExceeded,
  UNKNOWN_MEDIA_SECONDS,
} from '@telecine/contract/domain/client-limits.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { StoredFiles } from '@telecine/contract/domain/stored-files.ts';
import type { DailyUse, UsageStore } from './ports/job-records.ts';
import type { Tx } from './ports/transactions.ts';

/** The quotas of a client that submissions use. */
export type DailyQuotas = Pick<ClientLimits, 'jobs' | 'media'>;

export interface QuotaRequest {
  readonly clientId: string;
  readonly quotas: DailyQuotas;
  readonly mediaSeconds: number;
}

/** The daily quotas of a client, and what is used of them. */
const dailyQuotas = ({ jobs, media }: DailyQuotas, used: DailyUse): readonly QuotaUse<DailyQuotaName>[] => [
  { name: 'jobs', used: used.jobs, ...(jobs !== undefined && { limit: jobs }) },
  { name: 'media', used: used.mediaSeconds, ...(media !== undefined && { limit: media }) },
];

const hasDailyQuota = ({ jobs, media }: ClientLimits): boolean => jobs !== undefined || media !== undefined;

/** The daily quotas of a client, and what a job reserves of them. `seconds`: the longest media that it can publish, if known. */
export const quotaReservation = (
  { policy }: Pick<Caller, 'policy'>,
  seconds: number | undefined,
): { readonly quotas: DailyQuotas | undefined; readonly reservedMediaSeconds: number } => ({
  quotas: hasDailyQuota(policy) ? policy : undefined,
  reservedMediaSeconds: policy.media === undefined ? 0 : (seconds ?? UNKNOWN_MEDIA_SECONDS),
});

/** Throws QUOTA_EXCEEDED if the submissions of a client exceed the rest of its day. `used`: without these submissions. */
export function checkQuotas(submissions: readonly QuotaRequest[], used: DailyUse, at: string): void {
  const needs = sumOf(submissions);
  const wanted: Readonly<Record<DailyQuotaName, number>> = { jobs: needs.jobs, media: needs.mediaSeconds };
  for (const { quotas } of submissions)
    for (const use of dailyQuotas(quotas, used)) {
      const needed = wanted[use.name];
      if (use.limit !== undefined && needed > 0 && use.used + needed > use.limit) throw quotaExceeded(use, needed, at);
    }
}

/** Each job counts in whole milliseconds, as in the store, so that its end gives back exactly what it reserved. */
const sumOf = (submissions: readonly QuotaRequest[]): DailyUse => ({
  jobs: submissions.length,
  mediaSeconds: submissions.reduce((sum, { mediaSeconds }) => sum + Math.round(mediaSeconds * 1000), 0) / 1000,
});

/** Throws INVALID_REQUEST for a batch of more jobs than its client may submit on any day. */
export function checkBatchSize({ policy: { jobs } }: Pick<Caller, 'policy'>, size: number): void {
  if (jobs !== undefined && size > jobs) throw batchTooLarge(size, jobs, 'jobs a day');
}

/**
 * Returns a function that throws QUOTA_EXCEEDED if one more job exceeds the quotas of the client; undefined without
 * quotas. `reserveQuotas` checks again, but a rejection there would fail the submissions of other clients too.
 */
export async function dailyQuotaCheck(
  { now, usage }: { readonly now: () => Date; readonly usage: Pick<UsageStore, 'ofDay'> },
  { clientId, policy }: Pick<Caller, 'clientId' | 'policy'>,
): Promise<((mediaSeconds: number) => void) | undefined> {
  if (!hasDailyQuota(policy)) return undefined;
  const at = now().toISOString();
  const used = await usage.ofDay(clientId, dayOf(at));
  return (mediaSeconds) => checkQuotas([{ clientId, quotas: policy, mediaSeconds }], used, at);
}

/**
 * Adds submissions to the day of their clients, in the transaction that stores them. Returns a check that throws
 * QUOTA_EXCEEDED. Call it after all statements of the transaction, because the error rolls the transaction back.
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

/** A client's quotas, and what the client uses of them. */
export interface ClientUsage {
  readonly clientId: string;
  /** The UTC day of the daily quotas. */
  readonly day: string;
  /** When the next day starts, as ISO 8601 text. */
  readonly resetsAt: string;
  /** How many ordinary jobs of the client can run at the same time, if no other client has any. */
  readonly slots: number;
  readonly quotas: readonly QuotaUse[];
}

/** Reads the usage of a client, by default of the caller. Throws INSUFFICIENT_SCOPE, NOT_FOUND. */
export async function readUsage(
  deps: {
    readonly usage: Pick<UsageStore, 'ofDay'>;
    readonly stored: Pick<StoredFiles, 'used'>;
    /** The current limits of a client. undefined: unknown client. */
    readonly limitsOf: (clientId: string) => Promise<ClientLimits | undefined>;
    readonly slotsInAll: () => Promise<number>;
    readonly now: () => Date;
  },
  caller: Caller,
  clientId = caller.clientId,
): Promise<ClientUsage> {
  const isOther = clientId !== caller.clientId;
  if (isOther && !allows(caller, 'admin'))
    throw new Problem('INSUFFICIENT_SCOPE', 'Only an administrator sees the usage of other clients.', {
      scopes: ['admin'],
    });
  const limits = isOther ? await deps.limitsOf(clientId) : caller.policy;
  if (limits === undefined) throw new Problem('NOT_FOUND', `There is no client "${clientId}".`);
  const at = deps.now().toISOString();
  const { storage, running = Number.POSITIVE_INFINITY } = limits;
  return {
    clientId,
    day: dayOf(at),
    resetsAt: nextDay(at),
    slots: Math.min(await deps.slotsInAll(), running),
    quotas: [
      ...dailyQuotas(limits, await deps.usage.ofDay(clientId, dayOf(at))),
      {
        name: 'storage',
        used: await deps.stored.used(clientId),
        ...(storage !== undefined && { limit: storage }),
      },
    ],
  };
}
