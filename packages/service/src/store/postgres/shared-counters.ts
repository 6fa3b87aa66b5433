import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { EventCounter, OpenEventCounter, WindowCount } from '../../auth/ports.ts';
import type { Db } from '../transaction/database.ts';

interface CountedKey {
  readonly key: string;
  readonly events: number;
}

/** The table of events that all services count together. Times are by the clock of the database. */
function eventCounts(db: Db) {
  return {
    /**
     * Adds events to the current time windows of their keys. If a window has ended, begins a new one. Returns the
     * counts of all services.
     */
    async add(keys: readonly CountedKey[], windowSeconds: number): Promise<readonly (WindowCount & { key: string })[]> {
      // Sort the keys, so that all statements lock the rows in the same order and do not deadlock.
      const sorted = keys.toSorted((a, b) => (a.key < b.key ? -1 : 1));
      const { rows } = await sql<WindowCount & { key: string }>`
        insert into event_counts as e (key, events, ends_at)
        select key, events, now() + make_interval(secs => ${windowSeconds})
        from unnest(${sorted.map(({ key }) => key)}::text[], ${sorted.map(({ events }) => events)}::int[])
          with ordinality as added (key, events, place)
        order by place
        on conflict (key) do update set
          events = case when e.ends_at <= now() then excluded.events else e.events + excluded.events end,
          ends_at = case when e.ends_at <= now() then excluded.ends_at else e.ends_at end
        returning key, events, ${MS_LEFT} as "msLeft"`.execute(db);
      return rows;
    },

    async get(key: string): Promise<WindowCount | undefined> {
      const { rows } = await sql<WindowCount>`
        select events, ${MS_LEFT} as "msLeft" from event_counts where key = ${key} and ends_at > now()`.execute(db);
      return rows[0];
    },

    async removeOld(): Promise<void> {
      await sql`delete from event_counts where ends_at < now() - interval '10 minutes'`.execute(db);
    },
  };
}

const MS_LEFT = sql`(extract(epoch from ends_at - now()) * 1000)::float8`;

/** How long the count of all services may be reused, in ms. Meanwhile, other services may count more events. */
const MAX_AGE_MS = 1000;

/**
 * A service may count this share of the remaining events before it stores its count. Near the limit, the share is less
 * than one event, so the service stores each event at once.
 */
const SHARE = 1 / 8;

/** The maximum number of keys that one counter keeps in memory. */
const MAX_KEYS = 10_000;

const CLEANUP_MS = 600_000;

/**
 * The current time window of a key. Each event in it gets the next number, also if several events are counted at once.
 */
interface Window {
  /** `counted`: the number of events that this service has counted. `stored`: how many of these are in the database. */
  counted: number;
  stored: number;
  /** How many events all services had counted when this service stored its count last. */
  events: number;
  endsAt: number;
  readAt: number;
}

/**
 * Opens counters that all services share through the database. Far from the limit, a service stores its count only
 * every second, so that an event needs no query. Therefore, each service may exceed a limit by an eighth. Events beyond
 * the limit are not stored.
 */
export function sharedCounters(db: Db, onError: (error: unknown) => void) {
  const table = eventCounts(db);
  const counters: { storeAll(): Promise<void> }[] = [];
  const storeAll = () => Promise.all(counters.map((counter) => counter.storeAll())).catch(onError);
  const storing = setInterval(storeAll, MAX_AGE_MS).unref();
  const cleaning = setInterval(() => table.removeOld().catch(onError), CLEANUP_MS).unref();
  return {
    open: (options: Parameters<OpenEventCounter>[0]): EventCounter => {
      const counter = sharedCounter(table, options);
      counters.push(counter);
      return counter;
    },
    close: async (): Promise<void> => {
      clearInterval(storing);
      clearInterval(cleaning);
      await storeAll();
    },
  };
}

function sharedCounter(
  table: ReturnType<typeof eventCounts>,
  { name, windowSeconds }: Parameters<OpenEventCounter>[0],
): EventCounter & { storeAll(): Promise<void> } {
  const windows = new LRUCache<string, Window>({ max: MAX_KEYS });
  const dirty = new Set<string>();
  const nameOf = (key: string): string => `${name} ${key}`;
  const alone = pLimit(1);
  let next: Promise<void> | undefined;

  const windowOf = (key: string): Window => {
    const known = windows.get(key);
    const now = performance.now();
    if (known !== undefined && known.endsAt > now) return known;
    dirty.delete(key);
    const endsAt = now + windowSeconds * 1000;
    const window = { counted: 0, stored: 0, events: 0, endsAt, readAt: Number.NEGATIVE_INFINITY };
    windows.set(key, window);
    return window;
  };

  const storeDirty = async (): Promise<void> => {
    next = undefined;
    const batch = [...dirty].flatMap((key) => {
      const window = windows.get(key);
      return window === undefined ? [] : [{ key, window, counted: window.counted }];
    });
    dirty.clear();
    if (batch.length === 0) return;
    const added = batch.map(({ key, window, counted }) => ({ key: nameOf(key), events: counted - window.stored }));
    try {
      const found = new Map((await table.add(added, windowSeconds)).map((row) => [row.key, row]));
      for (const { key, window, counted: stored } of batch) {
        const row = found.get(nameOf(key));
        const now = performance.now();
        if (row) Object.assign(window, { stored, events: row.events, endsAt: now + row.msLeft, readAt: now });
      }
    } catch (error) {
      for (const { key } of batch) dirty.add(key);
      throw error;
    }
  };

  /** Stores all counts. Calls during a run share the next run. */
  const store = (): Promise<void> => {
    next ??= alone(storeDirty);
    return next;
  };

  const mustStore = ({ counted, stored, events, readAt }: Window, limit: number): boolean =>
    performance.now() - readAt > MAX_AGE_MS || counted - stored >= Math.max(1, Math.floor((limit - events) * SHARE));

  return {
    async count(key, limit) {
      const window = windowOf(key);
      if (window.events >= limit) return asCount(window, window.events + 1);
      window.counted += 1;
      const number = window.counted;
      dirty.add(key);
      if (mustStore(window, limit)) await store();
      return asCount(window, window.events + number - window.stored);
    },

    async get(key) {
      const window = windows.get(key);
      const unstored = window !== undefined && window.endsAt > performance.now() ? window.counted - window.stored : 0;
      const found = await table.get(nameOf(key));
      if (found !== undefined) return { ...found, events: found.events + unstored };
      return window !== undefined && unstored > 0 ? asCount(window, unstored) : undefined;
    },

    storeAll: () => (dirty.size === 0 ? Promise.resolve() : store()),
  };
}

const asCount = ({ endsAt }: Window, events: number): WindowCount => ({
  events,
  msLeft: Math.max(0, endsAt - performance.now()),
});
