import { z } from 'zod';

/** Names of schemas and extras belong to the OpenAPI document: models are given each schema whole, without references. */
const withoutNames = z.registry<Record<string, unknown>>();
withoutNames.get = (schema) => {
  const { id: _, override: __, ...shown } = z.globalRegistry.get(schema) ?? {};
  return shown as ReturnType<typeof withoutNames.get>;
};

export type ObjectSchema = { readonly type: 'object' } & Record<string, unknown>;

const written = (schema: z.ZodType, io: 'input' | 'output'): ObjectSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, metadata: withoutNames, unrepresentable: 'any' });
  return { ...rest, type: 'object' };
};

/** JSON Schema 2020-12 of what a tool takes. */
export const inputSchema = (schema: z.ZodType): ObjectSchema => written(schema, 'input');

/** JSON Schema 2020-12 of what a tool answers. */
export const outputSchema = (schema: z.ZodType): ObjectSchema => written(schema, 'output');
