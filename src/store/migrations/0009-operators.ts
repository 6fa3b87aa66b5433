import type { Kysely } from 'kysely';

/** Adds what operators tell the workers (pause, drain), and which worker runs a job since when. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('installation').addColumn('queue_paused_at', 'text').execute();
  await db.schema.alterTable('workers').addColumn('drain_requested_at', 'text').execute();
  await db.schema.alterTable('jobs').addColumn('worker_id', 'text').execute();
  await db.schema.alterTable('jobs').addColumn('claimed_at', 'text').execute();
}
