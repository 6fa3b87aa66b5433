import { z } from 'zod';
import { type Gene, geneOf } from './gene.ts';

type Json = z.core.JSONSchema.BaseSchema;

/** A document with every property of a schema, each with a value that the schema probably accepts. */
export function geneOfSchema(schema: z.ZodType): Gene {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json;
  return geneOf(exampleOf(root, root, 0));
}

const MOST_LEVELS = 8;

function exampleOf(schema: Json, root: Json, level: number): unknown {
  if (level > MOST_LEVELS) return null;
  const inner = (one: Json | boolean | undefined): unknown =>
    typeof one === 'object' ? exampleOf(one, root, level + 1) : 'a';
  if (schema.$ref !== undefined) return inner(root.$defs?.[schema.$ref.split('/').at(-1) ?? '']);
  const [example] = (schema.examples ?? []) as readonly unknown[];
  if (schema.properties !== undefined)
    return Object.fromEntries(Object.entries(schema.properties).map(([name, one]) => [name, inner(one)]));
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (example !== undefined) return example;
  const [first] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  if (first !== undefined) return inner(first);
  switch (schema.type) {
    case 'array':
      return [inner(schema.items as Json | undefined)];
    case 'object':
      return { a: inner(schema.additionalProperties as Json | undefined) };
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return 'a';
  }
}
