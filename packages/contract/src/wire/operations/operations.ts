import type { OperationId } from '../endpoints.ts';
import { AUDIT_OPERATIONS, CLIENT_OPERATIONS, USAGE_OPERATIONS, WORKER_OPERATIONS } from './administration.ts';
import { ANALYSIS_OPERATIONS, PROBE_OPERATIONS } from './analysis.ts';
import { BATCH_OPERATIONS } from './batches.ts';
import { CAPABILITY_OPERATIONS } from './capabilities.ts';
import { CONVERSION_OPERATIONS } from './conversions.ts';
import { FILE_OPERATIONS, UPLOAD_OPERATIONS } from './files.ts';
import { EVENT_OPERATIONS, JOB_OPERATIONS } from './jobs.ts';
import type { Operation } from './operation.ts';
import { OUTPUT_OPERATIONS } from './outputs.ts';
import { RECIPE_OPERATIONS } from './recipes.ts';
import { SHARE_OPERATIONS } from './shares.ts';
import { SYSTEM_OPERATIONS } from './system.ts';
import { ISSUER_OPERATIONS, SESSION_OPERATIONS, TOKEN_OPERATIONS } from './tokens.ts';
import { WATCH_OPERATIONS } from './watches.ts';
import { WEBHOOK_OPERATIONS } from './webhooks.ts';

/**
 * The types of all declarations. They are named by their groups, because the compiler would write an inferred type out in full: a megabyte that
 * each project then reads.
 */
export type Declared = typeof CONVERSION_OPERATIONS &
  typeof JOB_OPERATIONS &
  typeof BATCH_OPERATIONS &
  typeof EVENT_OPERATIONS &
  typeof FILE_OPERATIONS &
  typeof UPLOAD_OPERATIONS &
  typeof OUTPUT_OPERATIONS &
  typeof SHARE_OPERATIONS &
  typeof PROBE_OPERATIONS &
  typeof ANALYSIS_OPERATIONS &
  typeof CAPABILITY_OPERATIONS &
  typeof RECIPE_OPERATIONS &
  typeof TOKEN_OPERATIONS &
  typeof SESSION_OPERATIONS &
  typeof ISSUER_OPERATIONS &
  typeof WEBHOOK_OPERATIONS &
  typeof WATCH_OPERATIONS &
  typeof WORKER_OPERATIONS &
  typeof USAGE_OPERATIONS &
  typeof AUDIT_OPERATIONS &
  typeof CLIENT_OPERATIONS &
  typeof SYSTEM_OPERATIONS;

/** Every operation of the API. An endpoint without a declaration is a type error. */
export const OPERATIONS: Declared = {
  ...CONVERSION_OPERATIONS,
  ...JOB_OPERATIONS,
  ...BATCH_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...FILE_OPERATIONS,
  ...UPLOAD_OPERATIONS,
  ...OUTPUT_OPERATIONS,
  ...SHARE_OPERATIONS,
  ...PROBE_OPERATIONS,
  ...ANALYSIS_OPERATIONS,
  ...CAPABILITY_OPERATIONS,
  ...RECIPE_OPERATIONS,
  ...TOKEN_OPERATIONS,
  ...SESSION_OPERATIONS,
  ...ISSUER_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...WATCH_OPERATIONS,
  ...WORKER_OPERATIONS,
  ...USAGE_OPERATIONS,
  ...AUDIT_OPERATIONS,
  ...CLIENT_OPERATIONS,
  ...SYSTEM_OPERATIONS,
} satisfies Readonly<Record<OperationId, Operation>>;

/** The same, for code that treats all operations alike: to compare the types of each with `Operation` takes the compiler seconds. */
export const EACH_OPERATION: Readonly<Record<OperationId, Operation>> = OPERATIONS;

/** Whether the operation exists only if the service accepts tokens of an external issuer. */
export const needsIssuer = (id: OperationId): boolean => id in ISSUER_OPERATIONS;
