import { z } from 'zod';

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
