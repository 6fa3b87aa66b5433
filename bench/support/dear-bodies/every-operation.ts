import { z } from 'zod';
import { REQUEST_LIMITS } from '../../../packages/contract/src/domain/conversion.ts';
import { ENDPOINTS, type OperationId } from '../../../packages/contract/src/wire/endpoints.ts';
import { EACH_OPERATION, needsIssuer } from '../../../packages/contract/src/wire/operations/operations.ts';
import { type DearBody, filled, listOf, objectOf } from './dear-body.ts';

/** Leaves room for the fields around the long part of a body. */
const ROOM = 10_000;

/** Documents at the size limit of a body, which any schema has to reject. `names`: the fields that the schema knows. */
export const dearDocuments = (
  names: readonly string[],
  most: number = REQUEST_LIMITS.bodyBytes,
): Readonly<Record<string, string>> => {
  const bytes = most - Math.min(ROOM, most / 10);
  const first = names[0] ?? 'input';
  const share = Math.floor(bytes / 1000);
  const each = (value: unknown): string => JSON.stringify(Object.fromEntries(names.map((name) => [name, value])));
  const perName = Math.floor(bytes / Math.max(1, names.length));
  return {
    'unknown fields': JSON.stringify(
      objectOf(
        Math.min(990, bytes / 20),
        (index) => `${first}${index}`,
        () => 1,
      ),
    ),
    'long unknown fields': JSON.stringify(
      objectOf(
        Math.min(990, share),
        (index) => 'n'.repeat(share) + index,
        () => 1,
      ),
    ),
    'long texts': each('a'.repeat(perName)),
    'long texts of quotes': each('"'.repeat(perName / 2)),
    'long texts of control characters': each('\u0001'.repeat(perName / 6)),
    'lists of texts': each(listOf(Math.min(900, perName / 10), () => 'a'.repeat(Math.max(1, perName / 900 - 10)))),
    'lists of objects': each(listOf(Math.min(900, 4000 / names.length), () => ({ a: { b: 'c' } }))),
    'objects of texts': each(
      objectOf(
        Math.min(900, 4000 / names.length),
        (index) => `n${index}`,
        () => 'a',
      ),
    ),
    'nested lists': filled('[', bytes / 2) + filled(']', bytes / 2),
    'nested objects': filled('{"a":', bytes - bytes / 6) + 1 + filled('}', bytes / 6),
    'a repeated name': `{${filled('"a":1,', bytes)}"a":1}`,
    'a repeated name with two values': `{${filled('"a":1,', bytes)}"a":2}`,
    'repeated names of objects': `{"${first}":{${filled('"a":{"b":1},', bytes)}"a":{"b":2}}}`,
    'a text that ends too early': `{"a":"${'b'.repeat(bytes)}`,
    'an error in the last character': `{"a":[${filled('1,', bytes)}]}`,
    'an error after many lines': `{${filled('\n', bytes)}`,
    'an error after escapes': `{"a":"${filled('\\u0041', bytes)}\\x"}`,
    'names in a text': JSON.stringify({ [first]: filled('"a":', bytes / 2) }),
    'spaces after quotes': `{"a":["b"${' '.repeat(bytes / 2)},"c"${' '.repeat(bytes / 2)}]}`,
  };
};

/** The names of the fields of a schema, also of one with alternatives. */
export function fieldsOf(schema: z.ZodType): readonly string[] {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const parts = [json, ...(json.anyOf ?? []), ...(json.oneOf ?? []), ...(json.allOf ?? [])];
  return [...new Set(parts.flatMap(({ properties = {} }) => Object.keys(properties)))];
}

/** Values of path parameters for which the service has nothing. */
const PARAMETERS: Readonly<Record<string, string>> = { clientId: 'nobody', name: 'generic', path: 'generic.bin' };
const UNKNOWN_ID = '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10';

const pathOf = (path: string): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => PARAMETERS[name] ?? UNKNOWN_ID);

/** The longest query that fits into the header of a request. */
const QUERY = 12_000;

/** Each operation that takes a JSON body or a form, with documents at its limit. */
export function operationBodies(): readonly DearBody[] {
  const operations = Object.entries(EACH_OPERATION).filter(([id]) => !needsIssuer(id as OperationId));
  return operations.flatMap(([id, { body, query }]): readonly DearBody[] => {
    const { method, path } = ENDPOINTS[id as OperationId];
    if (body?.type === 'application/json')
      return Object.entries(dearDocuments(fieldsOf(body.schema), body.maxBytes)).map(([what, text]) => ({
        name: `${id}: ${what}`,
        method: method as 'POST',
        path: pathOf(path),
        body: text,
      }));
    if (body?.type === 'application/x-www-form-urlencoded')
      return ['a=1&', '%61=%61&', '+'].map((unit) => ({
        name: `${id}: a form of ${unit}`,
        method: method as 'POST',
        path: pathOf(path),
        body: filled(unit, body.maxBytes),
        headers: { 'content-type': body.type },
      }));
    if (method !== 'GET' || query === undefined || query === 'ignored') return [];
    const long = Object.keys(query.shape).map((name) => ({
      name: `${id}: a long "${name}"`,
      query: `${name}=${filled('a%20b,', QUERY)}`,
    }));
    const many = { name: `${id}: many parameters`, query: filled('a=1&', QUERY) };
    return [...long, many].map(({ name, query: text }) => ({ name, method: 'GET', path: `${pathOf(path)}?${text}` }));
  });
}
