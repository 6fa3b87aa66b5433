import type { z } from 'zod';
import { invalidRequest } from '../domain/problem.ts';
import { fieldErrors } from '../wire/explain.ts';

/** Arguments as `schema` has them. Throws INVALID_REQUEST that names every fault and its fix. */
export function parse<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidRequest(fieldErrors(schema, result.error.issues, value));
}
