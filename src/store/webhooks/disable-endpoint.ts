import type { Kysely } from 'kysely';
import type { DisabledReason } from '../../webhooks/ports.ts';
import type { Schema } from '../schema.ts';

/** What clients read in the deliveries that an endpoint gives up when it is disabled. */
const ENDPOINT_DISABLED = 'The endpoint was disabled.';

/** Disables an endpoint, unless it is disabled already, and gives up its unfinished deliveries. */
export async function disableEndpoint(
  db: Kysely<Schema>,
  webhookId: string,
  reason: DisabledReason,
  at: string,
): Promise<void> {
  await db
    .updateTable('webhook_endpoints')
    .set({ disabled_at: at, disabled_reason: reason })
    .where('webhook_id', '=', webhookId)
    .where('disabled_at', 'is', null)
    .execute();
  await db
    .updateTable('webhook_deliveries')
    .set({ state: 'FAILED', ended_at: at, reason: ENDPOINT_DISABLED })
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'PENDING')
    .execute();
}
