import type { AuditEvent, AuditRecord } from '@telecine/contract/domain/audit.ts';
import { timeOfId } from '@telecine/contract/domain/id-order.ts';
import { v7 as uuid } from 'uuid';
import type { AuditStore } from './ports.ts';

/** The audit log, as the HTTP layer uses it. */
export interface AuditOperations extends Pick<AuditLog, 'record' | 'note'>, Pick<AuditStore, 'list'> {
  /**
   * Returns whether a client has this name, or had it before it was revoked. If a refused login has another name, its
   * record does not contain the name.
   */
  isClient(name: string): Promise<boolean>;
}

/** The record of an event that happens now. */
export function auditRecord(event: AuditEvent): AuditRecord {
  const auditId = uuid();
  return { ...event, auditId, at: timeOfId(auditId) };
}

/** How long, at most, a record waits to be stored together with others, if no caller waits for it. */
const DELAY_MS = 100;

/** The maximum number of records in one transaction. Submissions wait for the transaction, so it must be short. */
const BATCH = 500;

/** How many records may wait for the database, for example during an outage. */
const MAX_QUEUED = 20_000;

export type AuditLog = ReturnType<typeof createAuditLog>;

/**
 * Creates the writer of the audit log. It stores records in batches, because one transaction for each would slow
 * submissions down. It limits the records of rejected requests, because anyone can cause them. `onLost`: called with
 * records that could not be stored.
 */
export function createAuditLog({
  store,
  onLost,
  monotonic = () => performance.now(),
}: {
  readonly store: Pick<AuditStore, 'append'>;
  readonly onLost: (records: readonly AuditRecord[], error: unknown) => void;
  /** A clock in milliseconds. */
  readonly monotonic?: () => number;
}) {
  const refusals = refusalLimit(monotonic);
  let queued: AuditRecord[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isWriting = false;
  /** How many records were queued since the start. `settled`: how many of these were stored or lost. */
  let pushed = 0;
  let settled = 0;
  /** The callers that wait until `settled` is at least `until`, in the order of `until`. */
  let waiting: { readonly until: number; readonly resolve: () => void }[] = [];

  const push = (event: AuditEvent): void => {
    const record = auditRecord(event);
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

  /** Waits until all records that are queued now are stored. Ignores later records, which may arrive without end. */
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
    /** Records an action without waiting. The record is stored within a fraction of a second; a crash may lose it. */
    note(event: AuditEvent): void {
      if (!isAdmitted(event)) return;
      push(event);
      timer ??= setTimeout(() => void flush(), DELAY_MS).unref();
    },
    /** Records an action. Resolves when the record is stored or lost. Never rejects. */
    async record(event: AuditEvent): Promise<void> {
      if (!isAdmitted(event)) return;
      push(event);
      await flush();
    },
    /** Stores all queued records. */
    close: flush,
  };
}

/** How many refusals are recorded in a minute: of one address, and of all addresses together. */
const PER_ADDRESS = 10;
const IN_ALL = 200;

const WINDOW_MS = 60_000;

/**
 * Limits the records of refused requests, because anyone can cause them. `now`: a clock in milliseconds that never goes
 * back.
 */
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
    /** Returns whether to record a refusal. */
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
    /** Returns how many refusals were not recorded since the last call, in windows that have ended. */
    takeUnrecorded(): number {
      beginWindow();
      const count = finished;
      finished = 0;
      return count;
    },
  };
}
