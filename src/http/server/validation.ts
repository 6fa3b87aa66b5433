import type { FastifySchemaCompiler, FastifyServerOptions } from 'fastify';
import type { z } from 'zod';
import { type FieldError, invalidRequest, pointerToken } from '../../domain/problem.ts';
import { controlCharacter } from '../../domain/text-validation.ts';
import { conversionBody, isPlainConversion } from '../../wire/conversion.ts';
import { fieldErrors } from '../../wire/explain.ts';

/** Validates bodies and queries by their zod schemas. Only failures cost the time to build field errors. */
const compileValidator: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart }) =>
  (value: unknown) => {
    if (schema === conversionBody && isPlainConversion(value)) return { value };
    const errors = httpPart === 'querystring' ? nulErrors(value) : [];
    if (errors.length > 0) return { error: invalidRequest(errors) };
    const result = schema.safeParse(value);
    return result.success
      ? { value: result.data }
      : { error: invalidRequest(fieldErrors(schema, result.error.issues, value)) };
  };

/** The errors for parameters with NUL, which no PostgreSQL text can contain. Bodies are checked when they are parsed. */
const nulErrors = (query: unknown): readonly FieldError[] =>
  Object.entries(query ?? {}).flatMap(([name, value]) =>
    String(value).includes('\0')
      ? [{ field: `/${pointerToken(name)}`, ...controlCharacter(`The parameter "${name}"`) }]
      : [],
  );

/**
 * Replaces Fastify's compilers when the app is created. Setting them later would be too late: Ajv would already use 5
 * MB of memory. The cast is necessary because Fastify types the validator compiler for Ajv only.
 */
export const schemaController = {
  compilersFactory: { buildValidator: () => compileValidator, buildSerializer: () => () => JSON.stringify },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>;
