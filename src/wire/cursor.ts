import { invalidRequest } from '../domain/problem.ts';
import { isUuid } from './job-id.ts';

/** Cursors are opaque to callers, so that what is inside may change: today the id of a page's last job. */
export const writeCursor = (jobId: string): string => Buffer.from(jobId).toString('base64url');

/** Throws INVALID_REQUEST for what `writeCursor` never wrote. */
export function readCursor(cursor: string): string {
  const jobId = Buffer.from(cursor, 'base64url').toString('latin1');
  if (isUuid(jobId)) return jobId;
  throw invalidRequest([
    {
      field: '/cursor',
      code: 'INVALID_FORMAT',
      message: 'This is no cursor of this service.',
      fix: 'Send "nextCursor" of the page before, or leave the cursor out for the first page.',
    },
  ]);
}
