import { createHash } from 'node:crypto';
import { isMembers } from '../domain/structured-values.ts';

const sortKeys = (_: string, value: unknown): unknown =>
  isMembers(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;

/** The SHA-256 of a parsed body, in hex. White space and the order of keys do not change the hash. */
export const bodyHash = (body: unknown): string =>
  createHash('sha256').update(JSON.stringify(body, sortKeys)).digest('hex');
