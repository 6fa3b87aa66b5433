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

/** The JSON Schema (2020-12) of the arguments of a tool. */
export const inputSchema = (schema: z.ZodType): ObjectSchema => toObjectSchema(schema, { io: 'input' });

/**
 * The JSON Schema (2020-12) of the output of a tool. Its objects are open: a client that has an older list of tools
 * accepts results with newer properties.
 */
export const outputSchema = (schema: z.ZodType): ObjectSchema =>
  toObjectSchema(schema, {
    io: 'output',
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
