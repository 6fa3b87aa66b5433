import { invalidRequest } from '../domain/problem.ts';

const PREFIX = 'after ';

/** The cursor of a list that stays as it is: opaque to callers, inside how many items come before the page. */
export const writeOffset = (count: number): string => Buffer.from(`${PREFIX}${count}`).toString('base64url');

/** Throws INVALID_REQUEST for what `writeOffset` never wrote. */
export function readOffset(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const count = new RegExp(`^${PREFIX}(\\d{1,6})$`).exec(text)?.[1];
  if (count !== undefined) return Number(count);
  throw invalidRequest([
    {
      field: '/cursor',
      code: 'INVALID_FORMAT',
      message: 'This is no cursor of this list.',
      fix: 'Send "nextCursor" of the page before, or leave the cursor out for the first page.',
    },
  ]);
}
