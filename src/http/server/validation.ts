import type { FastifySchemaCompiler, FastifyServerOptions } from 'fastify';
import type { z } from 'zod';
import { type FieldError, invalidRequest, type Problem, pointerToken } from '../../domain/problem.ts';
import { controlCharacter } from '../../domain/text-validation.ts';
import { conversionBody, isPlainConversion } from '../../wire/conversion.ts';
import { fieldErrors } from '../../wire/explain.ts';

/** Validates bodies and queries by their zod schemas. Only failures cost the time to build field errors. */
const compileValidator: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  if (httpPart !== 'querystring')
    return (value: unknown) =>
      schema === conversionBody && isPlainConversion(value) ? { value } : validate(schema, value);
  /** The valid result for an empty query. Most requests have no query, so they share it: no handler may change it. */
  let emptyResult: ReturnType<typeof validate> | undefined;
  return (query: unknown) => {
    if (Object.keys(query as object).length > 0) return validateQuery(schema, query);
    const result = emptyResult ?? validate(schema, query);
    if ('value' in result) emptyResult = result;
    return result;
  };
};

function validate(schema: z.ZodType, value: unknown): { readonly value: unknown } | { readonly error: Problem } {
  const result = schema.safeParse(value);
  return result.success
    ? { value: result.data }
    : { error: invalidRequest(fieldErrors(schema, result.error.issues, value)) };
}

function validateQuery(schema: z.ZodType, query: unknown): ReturnType<typeof validate> {
  const errors = nulErrors(query);
  return errors.length > 0 ? { error: invalidRequest(errors) } : validate(schema, query);
}

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
