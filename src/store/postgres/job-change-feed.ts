import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { Client } from 'pg';
import type { JobChange } from '../../jobs/job-changes.ts';
import type { Schema } from '../schema.ts';

const CHANNEL = 'telecine_job_changes';

/** How long changes are collected, so that a burst of submissions costs few notifications. */
const COLLECT_MS = 10;

/** The most changes per notification: PostgreSQL allows 8,000 bytes, and a change takes some 150. */
const MAX_CHANGES = 40;

/** The first delay between two attempts to connect. It doubles up to the last one. */
const [FIRST_RETRY_MS, LAST_RETRY_MS] = [100, 5000];

export interface JobChangeFeedOptions {
  /** A connection string (postgres://…) of a session: a pooler in transaction mode would drop LISTEN. */
  readonly listenUrl: string;
  /** Sends the notifications. */
  readonly db: Kysely<Schema>;
  /** Called for each change that another process has published. */
  readonly onChange: (change: JobChange) => void;
  readonly onError: (error: unknown) => void;
}

/** Job changes of other processes on the same database. They are hints: one may be lost, and then polling finds it. */
export interface JobChangeFeed {
  /** Tells the other processes. Call it after the commit: a notification inside it would serialise all commits. */
  publish(change: JobChange): void;
  close(): Promise<void>;
}

/** Starts to listen. Connects again when the connection is lost. */
export function openJobChangeFeed({ listenUrl, db, onChange, onError }: JobChangeFeedOptions): JobChangeFeed {
  const sender = randomUUID();
  const closing = new AbortController();
  let collected: JobChange[] = [];

  const receive = (payload: string | undefined): void => {
    const message = JSON.parse(payload ?? '{}') as Message;
    if (message.sender !== sender) for (const change of message.changes) onChange(change);
  };

  /** Resolves when the connection is lost. */
  const listenOnce = async (): Promise<void> => {
    const client = new Client({ connectionString: listenUrl, application_name: 'telecine listen', keepAlive: true });
    const { promise: lost, resolve } = Promise.withResolvers<void>();
    client.on('error', () => resolve());
    client.on('end', resolve);
    client.on('notification', ({ payload }) => receive(payload));
    closing.signal.addEventListener('abort', () => resolve(), { once: true });
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      await lost;
    } finally {
      client.end().catch(() => {});
    }
  };

  const listen = async (): Promise<void> => {
    for (let delay = FIRST_RETRY_MS; !closing.signal.aborted; ) {
      const startMs = performance.now();
      await listenOnce().catch(() => {});
      delay = performance.now() - startMs > LAST_RETRY_MS ? FIRST_RETRY_MS : Math.min(2 * delay, LAST_RETRY_MS);
      await sleep(delay, undefined, { signal: closing.signal }).catch(() => {});
    }
  };

  const send = async (): Promise<void> => {
    while (collected.length > 0) {
      const changes = collected.slice(0, MAX_CHANGES);
      collected = collected.slice(MAX_CHANGES);
      const message: Message = { sender, changes };
      await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(message)})`.execute(db).catch(onError);
    }
  };

  const listening = listen();
  return {
    publish(change) {
      // Progress changes each second and is in the job's row.
      if (change.kind === 'progress') return;
      if (collected.push(change) === 1) setTimeout(() => void send(), COLLECT_MS).unref();
    },
    async close() {
      closing.abort();
      await send();
      await listening;
    },
  };
}

interface Message {
  /** The process that published the changes. */
  readonly sender: string;
  readonly changes: readonly JobChange[];
}
