import { z } from 'zod';

/** Schema metadata without the OpenAPI names, so that each JSON Schema is complete and has no references. */
const withoutNames = z.registry<Record<string, unknown>>();
withoutNames.get = (schema) => {
  const { id: _, override: __, ...shown } = z.globalRegistry.get(schema) ?? {};
  return shown as ReturnType<typeof withoutNames.get>;
};

export type ObjectSchema = { readonly type: 'object' } & Record<string, unknown>;

const toObjectSchema = (schema: z.ZodType, io: 'input' | 'output'): ObjectSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, metadata: withoutNames, unrepresentable: 'any' });
  return { ...rest, type: 'object' };
};

/** The JSON Schema (2020-12) of the arguments of a tool. */
export const inputSchema = (schema: z.ZodType): ObjectSchema => toObjectSchema(schema, 'input');

/** The JSON Schema (2020-12) of the output of a tool. */
export const outputSchema = (schema: z.ZodType): ObjectSchema => toObjectSchema(schema, 'output');
