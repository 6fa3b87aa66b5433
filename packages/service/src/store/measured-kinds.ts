import { sql } from 'kysely';
import type { MeasuredKinds } from '../workers/ports/measured-kinds.ts';
import type { Database } from './transaction/database.ts';

/** How much a new job counts at least, so that old ones are forgotten. */
const MIN_SHARE = 1 / 20;

/** Ratios beyond this factor count as this factor: a disk that hangs once must not spoil a kind for long. */
const MAX_RATIO = 50;

/** How many kinds are kept. Clients choose the options that make a kind, so their number has no other limit. */
const MAX_KINDS = 2000;

export const measuredKinds = ({ reader, write, now }: Database): MeasuredKinds => ({
  find: async (kinds) =>
    kinds.length === 0
      ? []
      : await reader
          .selectFrom('measured_kinds')
          .select(['kind', 'processors', 'jobs', 'mean', 'variance'])
          .where('kind', 'in', kinds)
          .execute(),

  // Not durable: a lost job changes little.
  async add(observations) {
    const shown = new Map(observations.filter(({ ratio }) => ratio > 0).map((one) => [one.kind, one]));
    if (shown.size === 0) return;
    // In one order, so that two workers never wait for each other's rows.
    const sorted = [...shown.values()].toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
    const rows = sorted.map(({ kind, processors, ratio }) => ({
      ...{ kind, processors, jobs: 1, variance: 0, measured_at: now() },
      mean: Math.log(Math.min(MAX_RATIO, Math.max(1 / MAX_RATIO, ratio))),
    }));
    const share = sql`case when measured_kinds.jobs < ${sql.lit(1 / MIN_SHARE - 1)} then 1.0 / (measured_kinds.jobs + 1) else ${sql.lit(MIN_SHARE)} end`;
    const distance = sql`(excluded.mean - measured_kinds.mean)`;
    const changes = {
      jobs: sql<number>`measured_kinds.jobs + 1`,
      mean: sql<number>`measured_kinds.mean + (${share}) * ${distance}`,
      variance: sql<number>`(1 - (${share})) * (measured_kinds.variance + (${share}) * ${distance} * ${distance})`,
      measured_at: now(),
    };
    await write(
      (db) =>
        db
          .insertInto('measured_kinds')
          .values(rows)
          .onConflict((c) => c.columns(['kind', 'processors']).doUpdateSet(changes))
          .execute(),
      { durable: false },
    );
  },

  async removeOld() {
    await write((db) =>
      db
        .deleteFrom('measured_kinds')
        .where('measured_at', '<', (e) =>
          e
            .selectFrom('measured_kinds')
            .select('measured_at')
            .orderBy('measured_at', 'desc')
            .limit(1)
            .offset(MAX_KINDS),
        )
        .execute(),
    );
  },
});
