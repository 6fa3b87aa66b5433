import { sql } from 'kysely';

/** The schema of pg-boss's tables, in the store's database. */
export const BOSS_SCHEMA = 'telecine_queue';

/** The table of pg-boss that contains the tickets. */
export const BOSS_JOBS = sql.table(`${BOSS_SCHEMA}.job`);

/** The table of pg-boss that contains the queues. */
export const BOSS_QUEUES = sql.table(`${BOSS_SCHEMA}.queue`);

/** The time by which pg-boss decides whether a ticket is due. */
export const BOSS_NOW = sql`${sql.raw(BOSS_SCHEMA)}.job_now()`;
