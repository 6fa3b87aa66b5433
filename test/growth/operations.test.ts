// @module-tag long
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { InjectOptions } from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { growthError } from '../support/growth.ts';
import { IS_WHOLE } from '../support/sampled.ts';
import { startCounting } from '../support/work.ts';
import { HEADER_CASES, NOT_PARSED } from './header-cases.ts';
import { numbers } from './request-cases.ts';

const counter = startCounting();
const { TOOL_SCOPES } = await import('../../packages/service/src/mcp/tool-names.ts');
const { findMcpTool } = await import('../../packages/service/src/mcp/tools/all-tools.ts');
const { ENDPOINTS } = await import('../../packages/contract/src/wire/endpoints.ts');
const { EACH_OPERATION, needsIssuer } = await import('../../packages/contract/src/wire/operations/operations.ts');
const { fieldsOf } = await import('../../bench/support/dear-bodies/every-operation.ts');
const { openFuzzApp } = await import('../fuzz/bodies/fuzz-app.ts');

const errors: unknown[] = [];
const app = openFuzzApp(
  (error) => errors.push((error as { readonly err?: unknown }).err ?? error),
  () => undefined,
);
// Requests that come over no socket lack them.
app.addHook('onRequest', async ({ raw }) => {
  const all = Object.entries(raw.headers).map(([name, value]): [string, string[]] => [name, [String(value)]]);
  raw.headersDistinct ??= Object.fromEntries(all);
});
afterAll(() => app.close());

type Sent = InjectOptions;
type Case = readonly [string, (size: number) => Sent, number];

const UNKNOWN_ID = '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10';
const AUTHORIZED = { authorization: 'Bearer only-admin', host: 'localhost' };
const JSON_BODY = { ...AUTHORIZED, 'content-type': 'application/json' };

/** Documents of a size for a schema with these fields. */
const documents = (fields: readonly string[]): Readonly<Record<string, (size: number) => object>> => {
  const values: readonly ((n: number) => unknown)[] = [
    (n) => 'a,b:'.repeat(n),
    (n) => numbers(n),
    (n) => Object.fromEntries(numbers(n).map((name) => [name, 'a'])),
  ];
  const unknown = (n: number): object => Object.fromEntries(numbers(n).map((i) => [`${fields[0] ?? ''}${i}`, 1]));
  const each = (shift: number) => (n: number) =>
    Object.fromEntries(fields.map((name, index) => [name, values[(index + shift) % values.length]?.(n)]));
  return {
    'fields of all kinds': (n) => ({ ...each(0)(n), ...unknown(n) }),
    ...(IS_WHOLE && {
      'fields of other kinds': each(1),
      'fields of further kinds': each(2),
      'unknown fields': unknown,
      'long texts': (n: number) => Object.fromEntries(fields.map((name) => [name, 'a,b:'.repeat(n)])),
    }),
  };
};

const operations = Object.entries(EACH_OPERATION)
  .filter(([id]) => !needsIssuer(id as keyof typeof ENDPOINTS))
  .map(([id, declared]) => ({ id, declared, ...ENDPOINTS[id as keyof typeof ENDPOINTS] }));

const pathWith = (path: string, fill: (name: string) => string): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => fill(name));
const knownPath = (path: string): string => pathWith(path, (name) => (name.endsWith('Id') ? UNKNOWN_ID : 'a'));

const bodies = operations.flatMap(({ id, declared: { body }, method, path }): readonly Case[] => {
  if (body === undefined || !('schema' in body)) return [];
  return Object.entries(documents(fieldsOf(body.schema))).map(([title, documentOf]) => [
    `the body of ${id} with ${title}`,
    (size) => {
      const document = documentOf(size);
      const payload =
        body.type === 'application/json'
          ? JSON.stringify(document)
          : new URLSearchParams(
              Object.entries(document).map(([name, value]): [string, string] => [name, String(value)]),
            ).toString();
      return { method, url: knownPath(path), headers: { ...AUTHORIZED, 'content-type': body.type }, payload };
    },
    12,
  ]);
});

const addresses = operations.flatMap(({ id, declared: { query }, method, path }): readonly Case[] => {
  const names = query === undefined || query === 'ignored' ? [] : Object.keys(query.shape);
  if (names.length === 0 && !IS_WHOLE) return [];
  return [
    [
      `the address of ${id}`,
      (size) => {
        const long = 'a%2C1-'.repeat(size);
        const own = names.map((name) => `${name}=${long}`);
        const url = `${pathWith(path, () => long)}?${[...own, ...numbers(size).map((i) => `x${i}=1`)].join('&')}`;
        return { method, url, headers: AUTHORIZED };
      },
      20,
    ],
  ];
});

const tools = Object.keys(TOOL_SCOPES).flatMap((name): readonly Case[] => {
  const tool = findMcpTool(name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  const headers = { ...JSON_BODY, accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
  return Object.entries(documents(fieldsOf(tool.input))).map(([title, documentOf]) => [
    `the arguments of ${name} with ${title}`,
    (size) => {
      const params = { name, arguments: documentOf(size) };
      const payload = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      return { method: 'POST', url: '/mcp', headers, payload };
    },
    12,
  ]);
});

const headers = HEADER_CASES.flatMap(([name, { operation, start = '', parts, more }]) =>
  (IS_WHOLE ? parts : [parts.join('')]).map(
    (part): Case => [
      `the header ${name} of ${JSON.stringify(part)}`,
      (size) => {
        const { method, path } = ENDPOINTS[operation];
        const value = start + part.repeat(size);
        return { method, url: knownPath(path), headers: { ...AUTHORIZED, ...more, [name]: value } };
      },
      60,
    ],
  ),
);

test.each([...bodies, ...addresses, ...tools, ...headers])(
  'the work for a request grows linearly: %s',
  async (...row) => {
    const [, sentOf, size] = row;
    const prepare = (of: number) => {
      const sent = sentOf(of);
      return async () => {
        const { statusCode } = await app.inject(sent);
        if (statusCode === 500) throw new Error(`It answers 500: ${errors.map((one) => (one as Error).stack).at(-1)}`);
      };
    };
    expect(await growthError(counter, prepare, size)).toBeUndefined();
  },
);

test('each header that a request is asked for is among the counted ones', () => {
  const root = resolve(import.meta.dirname, '../..');
  const files = globSync('packages/*/src/{http,mcp,auth,wire}/**/*.ts', { cwd: root }).filter(
    (file) => !file.endsWith('.test.ts'),
  );
  const read = files.flatMap((file) => {
    const code = readFileSync(resolve(root, file), 'utf8');
    const names = [
      ...code.matchAll(/\bheaders\[['"]([a-z-]+)['"]\]/g),
      ...code.matchAll(/\brequest(?:\.raw)?\.headers\.(?:get\(['"])?([a-z-]+)/g),
      ...code.matchAll(/\{ (\w+) \} = request\.headers\b/g),
    ];
    return names.map(([, name = '']) => name);
  });
  expect(read).toContain('upload-metadata');
  const counted = new Set([...HEADER_CASES.map(([name]) => name), ...Object.keys(NOT_PARSED)]);
  expect([...new Set(read)].filter((name) => !counted.has(name))).toEqual([]);
});
