import { sql } from 'kysely';

/** Selects the number of rows as `count`. PostgreSQL would return a bigint as text. */
export const countOfRows = sql<number>`cast(count(*) as integer)`.as('count');
