import { type FieldError, invalidRequest, type Problem, pointerToken } from '@telecine/contract/domain/problem.ts';
import { controlCharacter } from '@telecine/contract/domain/text-validation.ts';
import { conversionBody, isPlainConversion } from '@telecine/contract/wire/conversion.ts';
import { fieldErrors } from '@telecine/contract/wire/explain.ts';
import type { FastifySchemaCompiler, FastifyServerOptions } from 'fastify';
import { z } from 'zod';

/** Validates bodies and queries with their zod schemas. */
const compileValidator: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  if (httpPart !== 'querystring') return bodyValidator(schema);
  /** The result for an empty query. All requests share this object, so handlers must not change it. */
  let emptyResult: ReturnType<typeof validate> | undefined;
  return (query: unknown) => {
    if (Object.keys(query as object).length > 0) return validateQuery(schema, query);
    const result = emptyResult ?? validate(schema, query);
    if ('value' in result) emptyResult = result;
    return result;
  };
};

function bodyValidator(schema: z.ZodType): (value: unknown) => ReturnType<typeof validate> {
  if (schema instanceof z.ZodOptional) {
    const validateSent = bodyValidator(schema.unwrap() as z.ZodType);
    // Fastify passes null if there is no body.
    return (value) => (value === null ? { value: undefined } : validateSent(value));
  }
  return (value) => (schema === conversionBody && isPlainConversion(value) ? { value } : validate(schema, value));
}

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

/**
 * Returns errors for query parameters that contain NUL, which PostgreSQL does not allow in a text. (For bodies, the
 * JSON parser does this.)
 */
const nulErrors = (query: unknown): readonly FieldError[] =>
  Object.entries(query ?? {}).flatMap(([name, value]) =>
    String(value).includes('\0')
      ? [{ field: `/${pointerToken(name)}`, ...controlCharacter(`The parameter "${name}"`) }]
      : [],
  );

/**
 * The schema compilers for Fastify. Fastify's own compiler, Ajv, would take 5 MB of memory. The cast is needed because
 * Fastify's types allow only Ajv.
 */
export const schemaController = {
  compilersFactory: { buildValidator: () => compileValidator, buildSerializer: () => () => JSON.stringify },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>;
