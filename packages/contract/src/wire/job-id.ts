import { z } from 'zod';
import { REQUEST_LIMITS } from '../domain/conversion.ts';
import { Problem, type ProblemCode } from '../domain/problem.ts';
import { list, text } from './described-schemas.ts';

/** Read ids in lower case, because the store has them in lower case. */
const id = z.uuid().toLowerCase();

export const jobId = id.meta({
  description: 'The job id, a UUID of version 7. Ids sort by time of submission.',
  examples: ['0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10'],
});

export const waitingFor = list(
  jobId,
  'The jobs of `after` that are not complete yet. The job starts when all are complete.',
);

export const batchId = id.meta({
  description: 'The batch id, a UUID of version 7.',
  examples: ['0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e00'],
});

export const watchId = id.meta({
  description: 'The id of a watch, a UUID of version 7.',
  examples: ['0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e16'],
});

/** The name of a request in its batch. */
export const batchName = text('The name of the job in its batch.', 'film')
  .min(1)
  .max(REQUEST_LIMITS.batchNameLength)
  .regex(/^\P{Cc}*$/u);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);

/** Reads an id in lower case, like the ids in the store. Throws a problem with this code if the text is not a UUID. */
export const idReader =
  (code: ProblemCode, message: string) =>
  (text: string): string => {
    if (isUuid(text)) return text.toLowerCase();
    throw new Problem(code, message);
  };

export const parseBatchId = idReader('BATCH_NOT_FOUND', 'Unknown batch: batch ids are UUIDs.');
export const parseJobId = idReader('JOB_NOT_FOUND', 'Unknown job: job ids are UUIDs.');
export const parseWatchId = idReader('WATCH_NOT_FOUND', 'Unknown watch: ids of watches are UUIDs.');
