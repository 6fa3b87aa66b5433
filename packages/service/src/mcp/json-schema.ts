import { z } from 'zod';

/** A registry of schema metadata without OpenAPI names. So each JSON Schema is complete and has no references. */
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

/**
 * Schema keywords that use many tokens in each conversation, such as the regular expression of a UUID. Errors give the same information.
 */
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
/** Minimum and maximum that only say that an integer is exact. They are removed. */
const EXACT = [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

/**
 * The JSON Schema (2020-12) of a tool's arguments, without keywords that only errors need. `texts`: replaces descriptions by property name;
 * '' removes the description.
 */
export const inputSchema = (schema: z.ZodType, texts: Readonly<Record<string, string>> = {}): ObjectSchema =>
  toObjectSchema(schema, {
    io: 'input',
    override: ({ jsonSchema, path }) => {
      for (const keyword of LENGTHY) delete jsonSchema[keyword];
      for (const bound of ['minimum', 'maximum'] as const)
        if (EXACT.includes(Number(jsonSchema[bound]))) delete jsonSchema[bound];
      // The tool description says which values ffmpeg options and recipe arguments take: texts, numbers, flags and lists.
      if (path.at(-1) === 'additionalProperties' && ['parameters', 'arguments'].includes(String(path.at(-2)))) {
        delete jsonSchema.anyOf;
        delete jsonSchema.description;
      }
      const name = path.at(-2) === 'properties' ? String(path.at(-1)) : '';
      // The list has the description. Errors name the allowed properties of an element.
      if (path.includes('items') && name === '') {
        delete jsonSchema.description;
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      }
      // The text and the errors name the properties.
      if (name === 'settings' && texts[name] !== undefined)
        for (const keyword of ['properties', 'additionalProperties']) delete jsonSchema[keyword];
      if (texts[name] === '') delete jsonSchema.description;
      else if (texts[name] !== undefined) jsonSchema.description = texts[name];
    },
  });

/**
 * The JSON Schema (2020-12) of a tool's output. It has only names and types, because results explain themselves. Its objects are open, so
 * that a client with an old list of tools accepts new properties in results.
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
