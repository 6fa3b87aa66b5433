import { z } from 'zod';
import { invalidRequest, type Problem } from '../domain/problem.ts';
import { numberInQuery, text } from './described-schemas.ts';
import { isUuid } from './job-id.ts';

/** An optional query parameter with the values `true` and `false`. */
export const flag = (description: string) => z.enum(['true', 'false']).exactOptional().meta({ description });

/** An optional `cursor` query parameter. */
export const cursor = (maxLength = 200) => text('`nextCursor` of the previous page.').max(maxLength).exactOptional();

/** An optional `limit` query parameter: the number of items on a page. */
export const pageLimit = (unit: string, max: number, byDefault: number) =>
  numberInQuery(`${unit} on one page.`).int().min(1).max(max).default(byDefault);

/** The `nextCursor` field of a reply with a page. */
export const nextCursor = text('Send it as `cursor` to get the next page; absent on the last page.').optional();

/** Writes the cursor of a list from the last item of a page, such as a job id. Clients must not read cursors: their form can change. */
export const writeCursor = (item: string): string => Buffer.from(item).toString('base64url');

const textOf = (cursor: string): string => Buffer.from(cursor, 'base64url').toString();

/** Reads the id in a cursor. Throws INVALID_REQUEST for a text that `writeCursor` did not write. */
export function readCursor(cursor: string): string {
  const id = textOf(cursor);
  if (isUuid(id)) return id;
  throw invalidCursor();
}

/** Reads the file name in a cursor. Throws INVALID_REQUEST for a text that `writeCursor` did not write. */
export function readNameCursor(cursor: string): string {
  const name = textOf(cursor);
  if (name !== '' && writeCursor(name) === cursor) return name;
  throw invalidCursor();
}

const PREFIX = 'after ';

/** Writes the cursor of a list that does not change: the number of items before the next page. */
export const writeOffset = (count: number): string => writeCursor(`${PREFIX}${count}`);

/** The `nextCursor` of a page that ends before the item with index `next`. `count`: the length of the list. undefined: no next page. */
export const nextOffset = (next: number, count: number): string | undefined =>
  next < count ? writeOffset(next) : undefined;

/**
 * Reads the number of items in a cursor. Returns 0, the first page, for undefined. Throws INVALID_REQUEST for a text that `writeOffset` did
 * not write.
 */
export function readOffset(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const count = new RegExp(`^${PREFIX}(\\d{1,6})$`).exec(textOf(cursor))?.[1];
  if (count !== undefined) return Number(count);
  throw invalidCursor();
}

const invalidCursor = (): Problem =>
  invalidRequest([
    {
      field: '/cursor',
      code: 'INVALID_FORMAT',
      message: '"cursor" is not the "nextCursor" of a page of this list.',
    },
  ]);
