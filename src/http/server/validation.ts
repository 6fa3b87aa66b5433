import type { FastifySchemaCompiler, FastifyServerOptions } from 'fastify';
import type { z } from 'zod';
import { invalidRequest } from '../../domain/problem.ts';
import { fieldErrors } from '../../wire/explain.ts';

/** Checks bodies and queries against their zod schemas. Only failures are explained, so valid requests stay cheap. */
const compileValidator: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (value: unknown) => {
    const result = schema.safeParse(value);
    return result.success
      ? { value: result.data }
      : { error: invalidRequest(fieldErrors(schema, result.error.issues, value)) };
  };

/**
 * Replaces Fastify's compilers when the app is created: setters come too late, after Ajv has taken 5 MB of memory.
 * Fastify types the first compiler for Ajv only, hence the cast.
 */
export const schemaController = {
  compilersFactory: { buildValidator: () => compileValidator, buildSerializer: () => () => JSON.stringify },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>;
