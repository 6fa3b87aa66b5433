import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { z } from 'zod';
import { PROBLEMS } from '../../packages/contract/src/wire/problem.ts';
import { QUERY_SCHEMAS, REPLY_SCHEMAS, REQUEST_SCHEMAS } from '../../packages/contract/src/wire/published-schemas.ts';

type Definitions = Readonly<Record<string, JSONSchema>>;

/** The schemas of a list. To compare the type of each with `ZodType` takes the compiler seconds. */
const schemasOf = (schemas: object): readonly (readonly [name: string, schema: z.ZodType])[] => Object.entries(schemas);

/**
 * Writes the types of `packages/client/src/api.ts` as declarations that need no zod, from the same schemas. Descriptions become
 * comments. Throws if two schemas of one name differ.
 */
export async function apiTypes(): Promise<string> {
  const definitions = merge([
    ...schemasOf(REQUEST_SCHEMAS).map(([name, schema]) => definitionsOf(name, schema, 'input')),
    ...schemasOf(QUERY_SCHEMAS).map(([name, schema]) => definitionsOf(name, schema, 'output', { required: [] })),
    ...schemasOf(REPLY_SCHEMAS).map(([name, schema]) => definitionsOf(name, schema, 'output')),
    { ProblemCode: { type: 'string', enum: Object.keys(PROBLEMS), description: PROBLEM_CODE } },
  ]);
  const text = await compile({ definitions, additionalProperties: false }, ROOT, {
    unreachableDefinitions: true,
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    bannerComment: '',
    style: { singleQuote: true, printWidth: 120 },
  });
  return text
    .replace(`export interface ${ROOT} {}\n`, '')
    .replace(ORIGIN, '')
    .replace(/^\/\*\*\n \*\/\n/gm, '');
}

/** The name of the type that contains all others, which nobody needs. */
const ROOT = 'Root';

/** The note that the compiler adds to each type that only the root type contains. */
const ORIGIN = new RegExp(
  `(?: \\*\\n)? \\* This interface was referenced by \`${ROOT}\`'s JSON-Schema\\n.* "\\w+"\\.\\n`,
  'g',
);

const PROBLEM_CODE = 'The code of a problem document. A later version of the service can have more.';

/** The JSON schema of a type, and the schemas of the named types that it contains. */
function definitionsOf(name: string, schema: z.ZodType, io: 'input' | 'output', change: JSONSchema = {}): Definitions {
  const { $schema: _, definitions = {}, ...own } = z.toJSONSchema(schema, { io, target: 'draft-7', override: tidy });
  // A schema with an id is among the definitions itself.
  return { [name]: { ...(own as JSONSchema), ...change }, ...(definitions as Definitions) };
}

/** Removes the members that describe values and not types, and the members that only the OpenAPI document uses. */
function tidy({ jsonSchema }: { readonly jsonSchema: Record<string, unknown> }): void {
  for (const key of ['id', 'override', 'examples', 'default', 'propertyNames']) delete jsonSchema[key];
}

function merge(all: readonly Definitions[]): Record<string, JSONSchema> {
  const merged: Record<string, JSONSchema> = {};
  for (const [name, schema] of all.flatMap((some) => Object.entries(some))) {
    merged[name] ??= schema;
    if (JSON.stringify(merged[name]) !== JSON.stringify(schema)) throw new Error(`Two schemas are named ${name}.`);
  }
  return merged;
}
