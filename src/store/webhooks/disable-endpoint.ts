import type { Kysely } from 'kysely';
import type { DisabledReason } from '../../webhooks/ports.ts';
import { updateRows } from '../queries.ts';
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
  const disabled = { disabled_at: at, disabled_reason: reason };
  await updateRows(db, 'webhook_endpoints', disabled, { webhook_id: webhookId, disabled_at: null });
  const givenUp = { state: 'FAILED' as const, ended_at: at, reason: ENDPOINT_DISABLED };
  await updateRows(db, 'webhook_deliveries', givenUp, { webhook_id: webhookId, state: 'PENDING' });
}
