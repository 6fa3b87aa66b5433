import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';
import { invalidRequest } from '../domain/problem.ts';
import { fieldErrors } from '../wire/explain.ts';

/** Checks bodies and queries by their zod schemas; only a failure is explained, so that the usual case costs little. */
export const compileValidator: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (value: unknown) => {
    const result = schema.safeParse(value);
    return result.success
      ? { value: result.data }
      : { error: invalidRequest(fieldErrors(schema, result.error.issues, value)) };
  };
