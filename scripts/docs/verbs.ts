import { z } from 'zod';
import type { OperationId } from '../../packages/contract/src/wire/endpoints.ts';
import type { Operation } from '../../packages/contract/src/wire/operations/operation.ts';
import { EACH_OPERATION } from '../../packages/contract/src/wire/operations/operations.ts';

/** The members of a JSON Schema that decide how the command line reads a value. */
interface ValueSchema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly items?: ValueSchema;
  readonly anyOf?: readonly ValueSchema[];
  readonly additionalProperties?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly description?: string;
}

/** Returns the text of verbs.json: the verbs of the command line by their names, so that it needs no schemas when it runs. */
export function verbsManual(): string {
  const verbs = (Object.keys(EACH_OPERATION) as OperationId[]).flatMap((id) => {
    const { verb = {} } = EACH_OPERATION[id];
    const bodies = typeof verb === 'string' ? { [verb]: {} } : verb;
    return Object.entries(bodies).map(([name, sent]) => [name, verbOf(id, EACH_OPERATION[id], sent)]);
  });
  return `${JSON.stringify(Object.fromEntries(verbs), undefined, 2)}\n`;
}

/** `sent`: the body that the verb sends. If it is empty, options have the members of the body. */
function verbOf(id: OperationId, { summary, params, query, body, replies }: Operation, sent: object) {
  const isFixed = Object.keys(sent).length > 0;
  const bodySchema = body?.type === 'application/json' && !isFixed ? body.schema : undefined;
  return {
    ...{ id, body: isFixed ? sent : undefined, done: replies[204]?.description },
    summary: isFixed ? `${summary}: ${Object.entries(sent).flat().join(' ')}` : summary,
    members: [...membersOf(params, 'params'), ...membersOf(query, 'query'), ...membersOf(bodySchema, 'body')],
  };
}

/** A registry without the names of schemas, so that no schema is a reference. */
const withoutNames = z.registry<{ readonly description?: string }>();
withoutNames.get = (schema) => {
  const { id: _, ...shown } = z.globalRegistry.get(schema) ?? {};
  return shown as never;
};

/** Leaves out what the command line sends by itself, because it reads a list page by page, and objects, which no option can say. */
function membersOf(schema: z.ZodType | 'ignored' | undefined, part: 'params' | 'query' | 'body') {
  if (typeof schema !== 'object') return [];
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata: withoutNames });
  const required = json.required ?? [];
  return Object.entries((json.properties ?? {}) as Readonly<Record<string, ValueSchema>>)
    .filter(([name]) => name !== 'cursor' && (name !== 'limit' || part === 'query'))
    .flatMap(([name, { anyOf = [], ...own }]) => {
      const isNullable = anyOf.at(-1)?.type === 'null' || undefined;
      const value = isNullable ? { ...anyOf[0], ...own } : own;
      const kind = kindOf(name, value);
      const isRequired = required.includes(name) || undefined;
      const texts = { name, part, flag: flagOf(name, value), about: aboutOf(name, value) };
      return kind === undefined ? [] : { ...texts, isRequired, isNullable, ...kind };
    });
}

function aboutOf(name: string, { type, description = '' }: ValueSchema): string {
  if (name === 'limit') return 'How many are listed.';
  const text = description.replace(/^`true`: (.)/, (_, first: string) => first.toUpperCase());
  return type === 'array' ? `${text} Repeatable.`.trim() : text;
}

/** Flags that have other words than the members of the API. */
const FLAGS: Readonly<Record<string, string>> = {
  ...{ q: 'search', replace: 'y', usesFiles: 'yes', externalSubject: 'external', graceHours: 'grace' },
};

/** `maxUnfinished` is `--max-unfinished`. A list is repeated, so `events` is `--event`. */
function flagOf(name: string, { type, additionalProperties }: ValueSchema): string {
  const word = FLAGS[name] ?? name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return type === 'array' || typeof additionalProperties === 'object' ? word.replace(/s$/, '') : word;
}

function kindOf(name: string, schema: ValueSchema) {
  const { type, format, enum: choices, additionalProperties, minimum, maximum, default: byDefault } = schema;
  const bounds = { min: minimum, max: maximum, default: name === 'limit' ? byDefault : undefined };
  if (choices?.join() === 'true,false' || (type === 'boolean' && isSwitch(schema))) return { kind: 'switch' };
  if (choices !== undefined) return { kind: 'choice', choices };
  if (type === 'boolean') return { kind: 'boolean' };
  if (type === 'integer' || type === 'number')
    return { kind: /^seconds$|Seconds$|^every$/.test(name) ? 'time' : 'number', ...bounds };
  if (type === 'array') return { kind: 'list', choices: schema.items?.enum };
  if (type === 'object' && typeof additionalProperties === 'object') return { kind: 'map' };
  if (format === 'date-time') return { kind: 'moment' };
  return type === 'string' ? { kind: 'text' } : undefined;
}

/** Whether `false` says the same as to leave the member out. */
const isSwitch = ({ description = '', default: byDefault }: ValueSchema): boolean =>
  byDefault === false || (description.includes('`true`:') && !description.includes('`false`:'));
