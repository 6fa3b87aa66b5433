import { isMembers } from '@telecine/contract/domain/structured-values.ts';
import { z } from 'zod';

/** A registry without the OpenAPI names of schemas, so that each JSON Schema is complete and has no references. */
const withoutNames = z.registry<Record<string, unknown>>();
withoutNames.get = (schema) => {
  const { id: _, override: __, ...shown } = z.globalRegistry.get(schema) ?? {};
  return shown as ReturnType<typeof withoutNames.get>;
};

export type ObjectSchema = { readonly type: 'object' } & Record<string, unknown>;

/**
 * Schema keywords that would cost many tokens in each conversation, such as the regular expression of a UUID. Errors
 * tell the model the same rules.
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
/** Members whose text shows their form by an example, which costs fewer tokens than a schema. */
const TOLD: ReadonlySet<string> = new Set(['cut', 'settings', 'request', 'source']);

/** The lowest and highest exact integer of JavaScript. As bounds, they say nothing and are removed. */
const EXACT = [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

/**
 * Returns the JSON Schema (2020-12) of the arguments of a tool, without keywords that errors explain well enough.
 * `texts`: other descriptions, by the name of the property. '' removes the description.
 */
export function inputSchema(schema: z.ZodType, texts: Readonly<Record<string, string>> = {}): ObjectSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    metadata: withoutNames,
    unrepresentable: 'any',
    io: 'input',
    override: ({ jsonSchema, path }) => {
      for (const keyword of LENGTHY) delete jsonSchema[keyword];
      for (const bound of ['minimum', 'maximum'] as const)
        if (EXACT.includes(Number(jsonSchema[bound]))) delete jsonSchema[bound];
      // The description of the tool says which values ffmpeg options and recipe arguments take.
      if (path.at(-1) === 'additionalProperties' && ['parameters', 'arguments'].includes(String(path.at(-2)))) {
        delete jsonSchema.anyOf;
        delete jsonSchema.description;
      }
      const name = path.at(-2) === 'properties' ? String(path.at(-1)) : '';
      // Keep only the description of the list. If an element has an unknown property, the error names the allowed ones.
      if (path.includes('items') && name === '') {
        delete jsonSchema.description;
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      }
      // The text in `texts` and the errors name the properties.
      if (TOLD.has(name) && texts[name])
        for (const keyword of ['properties', 'additionalProperties', 'items', 'anyOf', 'required'] as const)
          delete jsonSchema[keyword];
      if (texts[name] === '') delete jsonSchema.description;
      else if (texts[name] !== undefined) jsonSchema.description = texts[name];
    },
  });
  return { ...(JSON.parse(JSON.stringify(rest), withoutTypeList) as object), type: 'object' };
}

/** Writes a list of types as `anyOf`: not every MCP client supports it. */
function withoutTypeList(_name: string, value: unknown): unknown {
  if (!isMembers(value) || !Array.isArray(value['type'])) return value;
  const { type, ...others } = value;
  return { ...others, anyOf: (type as readonly string[]).map((one) => ({ type: one })) };
}
