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

/** The quotas that limit how much a client may submit on one day. */
export type DailyQuotas = Pick<ClientLimits, 'jobs' | 'media'>;

export interface QuotaRequest {
  readonly clientId: string;
  readonly quotas: DailyQuotas;
  readonly mediaSeconds: number;
  /** See `recordBytesOf`. */
  readonly recordBytes?: number;
}

/** Returns the daily quotas of a client, and how much of each quota is used. */
const dailyQuotas = ({ jobs, media }: DailyQuotas, used: DailyUse): readonly QuotaUse<DailyQuotaName>[] => [
  { name: 'jobs', used: used.jobs, ...(jobs !== undefined && { limit: jobs }) },
  { name: 'media', used: used.mediaSeconds, ...(media !== undefined && { limit: media }) },
];

const hasDailyQuota = ({ jobs, media }: ClientLimits): boolean => jobs !== undefined || media !== undefined;

/**
 * Returns the daily quotas of a client, and the seconds of media that a new job reserves of its quota `media`.
 * `seconds`: the maximum length of media that the job can publish; undefined if it is not known.
 */
export const quotaReservation = (
  { policy }: Pick<Caller, 'policy'>,
  seconds: number | undefined,
): { readonly quotas: DailyQuotas | undefined; readonly reservedMediaSeconds: number } => ({
  quotas: hasDailyQuota(policy) ? policy : undefined,
  reservedMediaSeconds: policy.media === undefined ? 0 : (seconds ?? UNKNOWN_MEDIA_SECONDS),
});

/**
 * Throws QUOTA_EXCEEDED if submissions exceed a daily quota of their client. `used`: the usage of the day before these
 * submissions.
 */
export function checkQuotas(submissions: readonly QuotaRequest[], used: DailyUse, at: string): void {
  const needs = sumOf(submissions);
  const wanted: Readonly<Record<DailyQuotaName, number>> = { jobs: needs.jobs, media: needs.mediaSeconds };
  for (const { quotas } of submissions)
    for (const use of dailyQuotas(quotas, used)) {
      const needed = wanted[use.name];
      if (use.limit !== undefined && needed > 0 && use.used + needed > use.limit) throw quotaExceeded(use, needed, at);
    }
}

/**
 * Round each job to whole milliseconds, as the store does. Otherwise, the end of a job would release a slightly
 * different amount than the job reserved.
 */
const sumOf = (submissions: readonly QuotaRequest[]) => ({
  jobs: submissions.length,
  recordBytes: submissions.reduce((sum, { recordBytes = 0 }) => sum + recordBytes, 0),
  mediaSeconds: submissions.reduce((sum, { mediaSeconds }) => sum + Math.round(mediaSeconds * 1000), 0) / 1000,
});

/** Throws INVALID_REQUEST if a batch has more jobs than its client may submit on one day. */
export function checkBatchSize({ policy: { jobs } }: Pick<Caller, 'policy'>, size: number): void {
  if (jobs !== undefined && size > jobs) throw batchTooLarge(size, jobs, 'jobs a day');
}

/**
 * Returns a function that throws QUOTA_EXCEEDED if one more job exceeds a daily quota of the client. Returns undefined
 * if the client has no daily quotas. Call the function before the job is stored: `reserveQuotas` checks too, but its
 * error rolls back a transaction that may contain submissions of other clients.
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
 * Adds submissions to the daily usage of their clients, in the transaction that stores the jobs. Returns a function
 * that throws QUOTA_EXCEEDED if a quota is now exceeded. Call it after all other statements, because its error rolls
 * the transaction back.
 */
export async function reserveQuotas(
  usage: Pick<UsageStore, 'reserve'>,
  tx: Tx,
  submissions: readonly QuotaRequest[],
  at: string,
): Promise<() => void> {
  const byClient = Map.groupBy(submissions, ({ clientId }) => clientId);
  const checks: (() => void)[] = [];
  // Sort the clients, so that all transactions lock their rows in the same order and do not deadlock.
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

/** The quotas of a client, and how much of each quota the client uses. */
export interface ClientUsage {
  readonly clientId: string;
  readonly day: string;
  /** When the next day starts, as ISO 8601 text. */
  readonly resetsAt: string;
  /** How many ordinary jobs of the client can run at the same time if no other client has jobs. */
  readonly slots: number;
  readonly quotas: readonly QuotaUse[];
}

/** Reads the usage of a client. `clientId` defaults to the caller. Throws INSUFFICIENT_SCOPE, NOT_FOUND. */
export async function readUsage(
  deps: {
    readonly usage: Pick<UsageStore, 'ofDay'>;
    readonly stored: Pick<StoredFiles, 'used' | 'records'>;
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
  const { storage, records, running = Number.POSITIVE_INFINITY } = limits;
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
      {
        name: 'records',
        used: await deps.stored.records(clientId),
        ...(records !== undefined && { limit: records }),
      },
    ],
  };
}
