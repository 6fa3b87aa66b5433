import { z } from 'zod';

/** Schema metadata without the OpenAPI names, so that each JSON Schema is complete and has no references. */
const withoutNames = z.registry<Record<string, unknown>>();
withoutNames.get = (schema) => {
  const { id: _, override: __, ...shown } = z.globalRegistry.get(schema) ?? {};
  return shown as ReturnType<typeof withoutNames.get>;
};

export type ObjectSchema = { readonly type: 'object' } & Record<string, unknown>;

type SchemaOptions = NonNullable<Parameters<typeof z.toJSONSchema>[1]>;

const toObjectSchema = (schema: z.ZodType, options: SchemaOptions): ObjectSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    metadata: withoutNames,
    unrepresentable: 'any',
    ...options,
  });
  return { ...rest, type: 'object' };
};

/** Keywords that repeat what errors say, and cost each conversation many tokens: the regular expression of a UUID. */
const LENGTHY = [
  'pattern',
  'format',
  'examples',
  'propertyNames',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
] as const;
/** Bounds that only mean that an integer is exact. */
const EXACT = [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

/**
 * The JSON Schema (2020-12) of the arguments of a tool, without what only errors need. `texts` replaces descriptions by the
 * names of properties; '' removes one.
 */
export const inputSchema = (schema: z.ZodType, texts: Readonly<Record<string, string>> = {}): ObjectSchema =>
  toObjectSchema(schema, {
    io: 'input',
    override: ({ jsonSchema, path }) => {
      for (const keyword of LENGTHY) delete jsonSchema[keyword];
      for (const bound of ['minimum', 'maximum'] as const)
        if (EXACT.includes(Number(jsonSchema[bound]))) delete jsonSchema[bound];
      // The values of ffmpeg options and arguments: texts, numbers, flags and lists. The description of the tool says it.
      if (path.at(-1) === 'additionalProperties' && ['parameters', 'arguments'].includes(String(path.at(-2)))) {
        delete jsonSchema.anyOf;
        delete jsonSchema.description;
      }
      const name = path.at(-2) === 'properties' ? String(path.at(-1)) : '';
      // The list has the text, and errors name the properties that an element may have.
      if (path.includes('items') && name === '') {
        delete jsonSchema.description;
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      }
      // The text has the properties, which errors name too.
      if (name === 'settings' && texts[name] !== undefined)
        for (const keyword of ['properties', 'additionalProperties']) delete jsonSchema[keyword];
      if (texts[name] === '') delete jsonSchema.description;
      else if (texts[name] !== undefined) jsonSchema.description = texts[name];
    },
  });

/**
 * The JSON Schema (2020-12) of the output of a tool: the names and types, since results explain themselves. Its objects are
 * open: a client that has an older list of tools accepts results with newer properties.
 */
export const outputSchema = (schema: z.ZodType): ObjectSchema =>
  toObjectSchema(schema, {
    io: 'output',
    override: ({ jsonSchema }) => {
      for (const keyword of [...LENGTHY, 'description', 'minimum', 'maximum', 'exclusiveMinimum'] as const)
        delete jsonSchema[keyword];
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
