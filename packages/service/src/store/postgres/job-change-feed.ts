import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { Client } from 'pg';
import { z } from 'zod';
import type { JobChange, WatchChange } from '../../jobs/job-changes.ts';
import type { Db } from '../transaction/database.ts';
import { outageReason } from './outages.ts';
import { CONNECT_MS, KEEP_ALIVE_MS } from './pool.ts';

const CHANNEL = 'telecine_job_changes';

/** How long changes are collected before a notification is sent: a burst of submissions needs few notifications. */
const COLLECT_MS = 10;

/** The maximum number of changes per notification. PostgreSQL allows 8,000 bytes, and a change takes about 150. */
const MAX_CHANGES = 40;

/** The first and the longest delay between two attempts to connect. The delay doubles each time. */
const [FIRST_RETRY_MS, LAST_RETRY_MS] = [100, 5000];

interface JobChangeFeedOptions {
  /** A connection string (postgres://…) that gives a session of its own: a pooler in transaction mode drops LISTEN. */
  readonly listenUrl: string;
  readonly db: Db;
  readonly onChange: (change: JobChange) => void;
  /** Called for each change of a watch. */
  readonly onWatchChange?: ((change: WatchChange) => void) | undefined;
  /** Called once for each outage of the connection that listens. */
  readonly onOutage: (reason: ReturnType<typeof outageReason>) => void;
  /** Called if a notification is not understood or cannot be sent. */
  readonly onError: (error: unknown) => void;
}

export type JobChangeFeed = ReturnType<typeof openJobChangeFeed>;

/**
 * Sends and receives job changes between the processes that use a database. A change that is lost does no harm, because
 * polling finds it. Connects again if the connection is lost.
 */
export function openJobChangeFeed({ listenUrl, db, onChange, onWatchChange, onOutage, onError }: JobChangeFeedOptions) {
  const sender = randomUUID();
  const closing = new AbortController();
  let collected: JobChange[] = [];
  const collectedWatches = new Map<string, WatchChange>();
  let isScheduled = false;
  let hasOutage = false;

  const receive = (payload: string | undefined): void => {
    const message = parseMessage(payload);
    if (message === undefined)
      onError(
        new Error(
          'Ignored a notification about job changes whose form is unknown: another version of telecine may have sent it.',
        ),
      );
    else if (message.sender !== sender) {
      for (const change of message.changes) onChange(change);
      for (const change of message.watches ?? []) onWatchChange?.(change);
    }
  };

  const listen = async (): Promise<void> => {
    for (let delay = FIRST_RETRY_MS; !closing.signal.aborted; ) {
      const startMs = performance.now();
      await listenOnce(listenUrl, closing.signal, receive, () => {
        hasOutage = false;
      }).catch((error: unknown) => {
        if (!hasOutage && !closing.signal.aborted) onOutage(outageReason(error));
        hasOutage = true;
      });
      delay = performance.now() - startMs > LAST_RETRY_MS ? FIRST_RETRY_MS : Math.min(2 * delay, LAST_RETRY_MS);
      await sleep(delay, undefined, { signal: closing.signal }).catch(() => {});
    }
  };

  const send = async (): Promise<void> => {
    isScheduled = false;
    while (collected.length + collectedWatches.size > 0) {
      const changes = collected.slice(0, MAX_CHANGES);
      collected = collected.slice(MAX_CHANGES);
      // Earlier versions ignore `watches`.
      const watches = [...collectedWatches.values()].slice(0, MAX_CHANGES - changes.length);
      const message: Message = { sender, changes, ...(watches.length > 0 && { watches }) };
      for (const { watchId } of watches) collectedWatches.delete(watchId);
      await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(message)})`.execute(db).catch(onError);
    }
  };

  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(() => void send(), COLLECT_MS).unref();
  };

  const listening = listen();
  return {
    /**
     * Notifies the other processes. Call this after the commit. A notification inside the transaction would make all
     * commits wait for each other.
     */
    publish(change: JobChange): void {
      // Do not send progress. It changes each second, and it is in the row of the job.
      if (change.kind === 'progress') return;
      collected.push(change);
      schedule();
    },
    /** Notifies the other processes of a change of a watch. */
    publishWatch(change: WatchChange): void {
      const { isByClient = change.isByClient } = collectedWatches.get(change.watchId) ?? {};
      collectedWatches.set(change.watchId, { ...change, ...(isByClient && { isByClient }) });
      schedule();
    },
    async close(): Promise<void> {
      closing.abort();
      await send();
      await listening;
    },
  };
}

/** Listens until the connection is lost or the feed is closed. Throws if it cannot connect. */
async function listenOnce(
  url: string,
  closing: AbortSignal,
  receive: (payload: string | undefined) => void,
  onConnected: () => void,
): Promise<void> {
  const client = new Client({
    connectionString: url,
    application_name: 'telecine listen',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  });
  const over = new AbortController();
  const isOver = once(AbortSignal.any([over.signal, closing]), 'abort');
  client.on('error', () => over.abort());
  client.on('end', () => over.abort());
  client.on('notification', ({ payload }) => receive(payload));
  try {
    const listening = client.connect().then(() => client.query(`listen ${CHANNEL}`));
    await Promise.race([listening, isOver]);
    if (!over.signal.aborted) onConnected();
    await isOver;
    if (!closing.aborted) throw new Error('The connection that listens for job changes was lost.');
  } finally {
    client.end().catch(() => {});
  }
}

/**
 * Parses a notification. undefined: it is from another version, or from someone else, because any user of the database
 * may notify.
 */
function parseMessage(payload: string | undefined): Message | undefined {
  try {
    return messageSchema.parse(JSON.parse(payload ?? '')) as Message;
  } catch {
    return undefined;
  }
}

const messageSchema = z.object({
  sender: z.string(),
  changes: z.array(z.looseObject({ kind: z.string(), jobId: z.string(), clientId: z.string() })),
  watches: z
    .array(
      z.object({
        watchId: z.string(),
        clientId: z.string(),
        isByClient: z.literal(true).optional(),
      }),
    )
    .optional(),
});

interface Message {
  readonly sender: string;
  readonly changes: readonly JobChange[];
  readonly watches?: readonly WatchChange[];
}
