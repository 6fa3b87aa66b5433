import type { FastifySchemaCompiler, FastifyServerOptions } from 'fastify';
import type { z } from 'zod';
import { invalidRequest } from '../domain/problem.ts';
import { fieldErrors } from '../wire/explain.ts';

/** Checks bodies and queries by their zod schemas; only a failure is explained, so that the usual case costs little. */
const compileValidator: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (value: unknown) => {
    const result = schema.safeParse(value);
    return result.success
      ? { value: result.data }
      : { error: invalidRequest(fieldErrors(schema, result.error.issues, value)) };
  };

/**
 * Fastify's own compilers would be loaded before setters could replace them: 5 MB of memory. Its type for the first
 * knows Ajv alone.
 */
export const schemaController = {
  compilersFactory: { buildValidator: () => compileValidator, buildSerializer: () => () => JSON.stringify },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>;
