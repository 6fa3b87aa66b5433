import type { z } from 'zod';
import type { $ZodType } from 'zod/v4/core';

/** Removes the wrappers `optional` and `default`, which do not change the JSON type, and `preprocess`. */
function unwrap(schema: $ZodType): z.core.$ZodTypes {
  for (let inner = schema as z.core.$ZodTypes; ; ) {
    const { def } = inner._zod;
    if (def.type === 'optional' || def.type === 'default') inner = def.innerType as z.core.$ZodTypes;
    else if (def.type === 'pipe' && def.in._zod.def.type === 'transform') inner = def.out as z.core.$ZodTypes;
    else return inner;
  }
}

function child(schema: $ZodType, key: PropertyKey): $ZodType | undefined {
  const { def } = unwrap(schema)._zod;
  switch (def.type) {
    case 'object':
      return Object.hasOwn(def.shape, key) ? def.shape[key as string] : undefined;
    case 'record':
      return def.valueType;
    case 'array':
      return typeof key === 'number' ? def.element : undefined;
    case 'union':
      return def.options.map((option) => child(option, key)).find((found) => found !== undefined);
    default:
      return undefined;
  }
}

/** The schema of the value at `path`. undefined: the schema has no such path. */
export function schemaAt(schema: $ZodType, path: readonly PropertyKey[]): $ZodType | undefined {
  let at: $ZodType | undefined = schema;
  for (const key of path) {
    if (at === undefined) return undefined;
    at = child(at, key);
  }
  return at;
}

/** The field names of an object schema. Empty for other schemas. */
export function knownKeys(schema: $ZodType | undefined): readonly string[] {
  if (schema === undefined) return [];
  const { def } = unwrap(schema)._zod;
  if (def.type === 'union') return def.options.flatMap(knownKeys);
  return def.type === 'object' ? Object.keys(def.shape) : [];
}

/** The names of the fields that an object schema requires. Empty for other schemas. */
export function requiredKeys(schema: $ZodType): readonly string[] {
  const { def } = unwrap(schema)._zod;
  return def.type === 'object' ? Object.keys(def.shape).filter((key) => def.shape[key]?._zod.optin !== 'optional') : [];
}

/** The names of the JSON types that a schema accepts. */
export function typeNames(schema: $ZodType | undefined): readonly string[] {
  if (schema === undefined) return [];
  const { def } = unwrap(schema)._zod;
  if (def.type === 'union') return def.options.flatMap(typeNames);
  return [def.type === 'record' ? 'object' : def.type];
}

/** The first example in a schema. */
export function exampleOf(schema: $ZodType | undefined): unknown {
  for (let at = schema as z.ZodType | undefined; at !== undefined; ) {
    const example = (at.meta()?.['examples'] as readonly unknown[] | undefined)?.[0];
    if (example !== undefined) return example;
    const { def } = at._zod as unknown as z.core.$ZodTypes['_zod'];
    at = def.type === 'optional' || def.type === 'default' ? (def.innerType as z.ZodType) : undefined;
  }
  return undefined;
}
