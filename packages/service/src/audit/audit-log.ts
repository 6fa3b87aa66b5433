import type { AuditEvent, AuditRecord } from '@telecine/contract/domain/audit.ts';
import { timeOfId } from '@telecine/contract/domain/id-order.ts';
import { v7 as uuid } from 'uuid';
import type { AuditStore } from './ports.ts';

/** The audit log for the HTTP layer. */
export interface AuditOperations extends Pick<AuditLog, 'record' | 'note'>, Pick<AuditStore, 'list'> {
  /** Whether a client of this name exists or was revoked. A refused login is recorded with no other name. */
  isClient(name: string): Promise<boolean>;
}

/** How long a record that nobody waits for may wait for others. */
const DELAY_MS = 100;

/** The most records in one transaction, because submissions wait for it. */
const BATCH = 500;

/** The most records that wait for the store, for example during an outage of the database. */
const MAX_QUEUED = 20_000;

/** Writes the audit log. */
export type AuditLog = ReturnType<typeof createAuditLog>;

/**
 * Creates the writer of the log. It stores records in batches, because a transaction for each would slow submissions down, and only
 * some of the rejected requests, which anyone can cause. `onLost`: called with records that could not be stored.
 */
export function createAuditLog({
  store,
  onLost,
  monotonic = () => performance.now(),
}: {
  readonly store: Pick<AuditStore, 'append'>;
  readonly onLost: (records: readonly AuditRecord[], error: unknown) => void;
  /** Milliseconds. */
  readonly monotonic?: () => number;
}) {
  const refusals = refusalLimit(monotonic);
  let queued: AuditRecord[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isWriting = false;
  /** The numbers of records that were queued and that were stored or lost, since the start. */
  let pushed = 0;
  let settled = 0;
  /** Those who wait until this many records are settled, in order. */
  let waiting: { readonly until: number; readonly resolve: () => void }[] = [];

  const push = (event: AuditEvent): void => {
    const auditId = uuid();
    const record = { ...event, auditId, at: timeOfId(auditId) };
    if (queued.length >= MAX_QUEUED) {
      onLost([record], new Error('Too many audit records wait for the store.'));
      return;
    }
    queued.push(record);
    pushed += 1;
  };

  async function write(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    while (queued.length > 0) {
      const batch = queued.slice(0, BATCH);
      queued = queued.slice(BATCH);
      await store.append(batch).catch((error: unknown) => onLost(batch, error));
      settled += batch.length;
      for (const { resolve } of waiting.filter(({ until }) => until <= settled)) resolve();
      waiting = waiting.filter(({ until }) => until > settled);
    }
    isWriting = false;
  }

  /** Stores all records that are queued now. Does not wait for later records, because new ones may always come. */
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const until = pushed;
    if (until === settled) return Promise.resolve();
    return new Promise((resolve) => {
      waiting.push({ until, resolve });
      void write();
    });
  }

  const isAdmitted = ({ outcome, address = '' }: AuditEvent): boolean => {
    const unrecorded = refusals.takeUnrecorded();
    if (unrecorded > 0)
      push({ action: 'audit.skip', outcome: 'refused', via: 'service', details: { refusals: unrecorded } });
    return outcome !== 'refused' || refusals.admit(address);
  };

  return {
    /** Records an action within a fraction of a second. A crash before that loses the record. */
    note(event: AuditEvent): void {
      if (!isAdmitted(event)) return;
      push(event);
      timer ??= setTimeout(() => void flush(), DELAY_MS).unref();
    },
    /** Records an action. Resolves when the record is stored or lost, and never rejects. */
    async record(event: AuditEvent): Promise<void> {
      if (!isAdmitted(event)) return;
      push(event);
      await flush();
    },
    /** Stores what waits. */
    close: flush,
  };
}

/** The most refusals that are recorded in a minute: of one address, and in all. */
const PER_ADDRESS = 10;
const IN_ALL = 200;

const WINDOW_MS = 60_000;

/** Bounds the records of refused requests, which anyone can cause. `now`: milliseconds of a monotonic clock. */
function refusalLimit(now: () => number) {
  let startedAt = Number.NEGATIVE_INFINITY;
  let admitted = 0;
  let rejected = 0;
  let finished = 0;
  const byAddress = new Map<string, number>();

  const beginWindow = (): void => {
    if (now() - startedAt < WINDOW_MS) return;
    startedAt = now();
    finished += rejected;
    admitted = 0;
    rejected = 0;
    byAddress.clear();
  };

  return {
    /** Whether to record a refusal. */
    admit(address: string): boolean {
      beginWindow();
      const ofAddress = byAddress.get(address) ?? 0;
      if (ofAddress >= PER_ADDRESS || admitted >= IN_ALL) {
        rejected += 1;
        return false;
      }
      byAddress.set(address, ofAddress + 1);
      admitted += 1;
      return true;
    },
    /** The refusals of finished windows that were not recorded, since the last call. */
    takeUnrecorded(): number {
      beginWindow();
      const count = finished;
      finished = 0;
      return count;
    },
  };
}
