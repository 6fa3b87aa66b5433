import { type Kysely, sql } from 'kysely';
import type { WindowCount } from '../../auth/ports.ts';
import type { Schema } from '../schema.ts';

/** Events of a key that are to be stored. */
export interface CountedKey {
  readonly key: string;
  readonly events: number;
}

/** The table of events that all services count. Times are by the clock of the database. */
export function eventCounts(db: Kysely<Schema>) {
  return {
    /** Adds events to the windows of their keys, or begins new ones. Returns the counts of all services. */
    async add(keys: readonly CountedKey[], windowSeconds: number): Promise<readonly (WindowCount & { key: string })[]> {
      // In one order everywhere, so that no two statements wait for each other.
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

    /** Deletes the counts of windows that ended some time ago. */
    async removeOld(): Promise<void> {
      await sql`delete from event_counts where ends_at < now() - interval '10 minutes'`.execute(db);
    },
  };
}

const MS_LEFT = sql`(extract(epoch from ends_at - now()) * 1000)::float8`;
