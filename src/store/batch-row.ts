import type { Selectable } from 'kysely';
import type { Batch } from '../domain/batch.ts';
import { omitNullish } from './omit-nullish.ts';
import type { BatchesTable } from './schema.ts';

export const BATCH_COLUMNS = ['batch_id', 'client_id', 'created_at', 'size', 'callback_url'] as const;

/** Converts a row to a batch. */
export const toBatch = (row: Pick<Selectable<BatchesTable>, (typeof BATCH_COLUMNS)[number]>): Batch => ({
  batchId: row.batch_id,
  clientId: row.client_id,
  createdAt: row.created_at,
  size: row.size,
  ...omitNullish({ callbackUrl: row.callback_url }),
});
