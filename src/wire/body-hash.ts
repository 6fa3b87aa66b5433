import { createHash } from 'node:crypto';

const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** SHA-256, hex, of a parsed body: the same for bodies that differ only in white space or in the order of names. */
export const bodyHash = (body: unknown): string =>
  createHash('sha256').update(JSON.stringify(body, sorted)).digest('hex');
