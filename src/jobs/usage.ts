import { allows, type Caller } from '../domain/client.ts';
import { type ClientLimits, dayOf, nextDay, type QuotaUse } from '../domain/client-limits.ts';
import { Problem } from '../domain/problem.ts';
import type { StoredFiles } from '../domain/stored-files.ts';
import type { UsageStore } from './ports/usage-store.ts';
import { dailyQuotas } from './submit/reserve-quotas.ts';

/** What a client uses of its quotas. */
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

/** Reads what a client uses of its quotas. Default: the caller. Throws INSUFFICIENT_SCOPE, NOT_FOUND. */
export type ReadUsage = (caller: Caller, clientId?: string) => Promise<ClientUsage>;

/** `limitsOf`: the current limits of a client; undefined if there is no such client. */
export const usageReader =
  (deps: {
    readonly usage: Pick<UsageStore, 'ofDay'>;
    readonly stored: Pick<StoredFiles, 'used'>;
    readonly limitsOf: (clientId: string) => Promise<ClientLimits | undefined>;
    /** The slots of all workers. */
    readonly slotsInAll: () => Promise<number>;
    readonly now: () => Date;
  }): ReadUsage =>
  async (caller, clientId = caller.clientId) => {
    const isOther = clientId !== caller.clientId;
    if (isOther && !allows(caller, 'admin'))
      throw new Problem('INSUFFICIENT_SCOPE', 'Only an administrator sees the usage of other clients.', {
        scopes: ['admin'],
      });
    const limits = isOther ? await deps.limitsOf(clientId) : caller.policy;
    if (limits === undefined) throw new Problem('NOT_FOUND', `There is no client "${clientId}".`);
    const at = deps.now().toISOString();
    return {
      clientId,
      day: dayOf(at),
      resetsAt: nextDay(at),
      slots: Math.min(await deps.slotsInAll(), limits.running ?? Number.POSITIVE_INFINITY),
      quotas: [
        ...dailyQuotas(limits, await deps.usage.ofDay(clientId, dayOf(at))),
        {
          name: 'storage',
          used: await deps.stored.used(clientId),
          ...(limits.storage !== undefined && { limit: limits.storage }),
        },
      ],
    };
  };
