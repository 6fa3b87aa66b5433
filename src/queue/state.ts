import { type Expression, type SqlBool, sql } from 'kysely';

/** Where a ticket is: ready to be taken, delayed until `due_at`, or out with a worker whose lease ends then. */
export const TICKET_STATE = { READY: 0, DELAYED: 1, OUT: 2 } as const;

/** The state stands in the text of the query, not as a parameter: a partial index is used only where it does. */
export const ticketStateIs = (state: keyof typeof TICKET_STATE): Expression<SqlBool> =>
  sql<SqlBool>`${sql.ref('state')} = ${sql.lit(TICKET_STATE[state])}`;
