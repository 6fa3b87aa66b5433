import type { FastifySchemaCompiler, FastifyServerOptions } from 'fastify';
import type { z } from 'zod';
import { invalidRequest } from '../../domain/problem.ts';
import { fieldErrors } from '../../wire/explain.ts';

/** Validates bodies and queries by their zod schemas. Only failures cost the time to build field errors. */
const compileValidator: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (value: unknown) => {
    const result = schema.safeParse(value);
    return result.success
      ? { value: result.data }
      : { error: invalidRequest(fieldErrors(schema, result.error.issues, value)) };
  };

/**
 * Replaces Fastify's compilers when the app is created. Setting them later would be too late: Ajv would already use 5
 * MB of memory. The cast is necessary because Fastify types the validator compiler for Ajv only.
 */
export const schemaController = {
  compilersFactory: { buildValidator: () => compileValidator, buildSerializer: () => () => JSON.stringify },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>;
