import { z } from 'zod';
import { invalidRequest, type Problem } from '../domain/problem.ts';
import { isUuid } from './job-id.ts';

/** An optional query parameter that is `true` or `false`. */
export const flag = (description: string) => z.enum(['true', 'false']).exactOptional().meta({ description });

/** An optional `cursor` query parameter. */
export const cursor = (maxLength = 200) =>
  z.string().max(maxLength).exactOptional().meta({ description: '`nextCursor` of the previous page.' });

/** An optional `limit` query parameter: the number of items on a page. */
export const pageLimit = (unit: string, max: number, byDefault: number) =>
  z.coerce
    .number()
    .int()
    .min(1)
    .max(max)
    .default(byDefault)
    .meta({ description: `${unit} on one page.` });

/** The `nextCursor` field of a reply with a page. */
export const nextCursor = z
  .string()
  .optional()
  .meta({ description: 'Send it as `cursor` to get the next page; absent on the last page.' });

// Cursors are opaque to clients, so that their content can change. Today a cursor contains the last item of a page, or
// the number of items before the next page.

/** The cursor of a job list: the id of the last job. */
export const writeCursor = (jobId: string): string => Buffer.from(jobId).toString('base64url');

/** Throws INVALID_REQUEST for any text that `writeCursor` did not write. */
export function readCursor(cursor: string): string {
  const jobId = Buffer.from(cursor, 'base64url').toString('latin1');
  if (isUuid(jobId)) return jobId;
  throw invalidCursor();
}

/** The cursor of a file list: the name of the last entry. */
export const writeNameCursor = (name: string): string => Buffer.from(name).toString('base64url');

/** Throws INVALID_REQUEST for any text that `writeNameCursor` did not write. */
export function readNameCursor(cursor: string): string {
  const name = Buffer.from(cursor, 'base64url').toString();
  if (name !== '' && writeNameCursor(name) === cursor) return name;
  throw invalidCursor();
}

const PREFIX = 'after ';

/** The cursor of a list that does not change: the number of items before the next page. */
export const writeOffset = (count: number): string => Buffer.from(`${PREFIX}${count}`).toString('base64url');

/** The `nextCursor` of a page that ends before the item at place `next`, of a list of `count`. */
export const nextOffset = (next: number, count: number): string | undefined =>
  next < count ? writeOffset(next) : undefined;

/** Returns 0, the first page, for undefined. Throws INVALID_REQUEST for any text that `writeOffset` did not write. */
export function readOffset(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const count = new RegExp(`^${PREFIX}(\\d{1,6})$`).exec(text)?.[1];
  if (count !== undefined) return Number(count);
  throw invalidCursor();
}

const invalidCursor = (): Problem =>
  invalidRequest([
    {
      field: '/cursor',
      code: 'INVALID_FORMAT',
      message: '"cursor" is not a cursor of this list.',
      fix: 'Send "nextCursor" of the previous page, or leave "cursor" out to get the first page.',
    },
  ]);
