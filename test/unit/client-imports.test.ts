import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { expect, test } from 'vitest';

const CLIENT = resolve(import.meta.dirname, '../../packages/client/src');

const CONTRACT = '@telecine/contract/';

/** The modules that a source loads when it runs; imports of types are erased. */
function runTimeImports(file: string, code: string): readonly string[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(file, code).module;
  return [
    ...staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) => (moduleRequest && !isType ? [moduleRequest.value] : [])),
    ),
    ...dynamicImports.map(({ moduleRequest }) => code.slice(moduleRequest.start + 1, moduleRequest.end - 1)),
  ];
}

/** Every module that the sources load, directly or through others: files by path, packages by name. */
function loadedModules(...sources: readonly string[]): ReadonlySet<string> {
  const loaded = new Set<string>();
  const load = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const name of runTimeImports(file, readFileSync(file, 'utf8')))
      if (name.startsWith('.')) load(resolve(dirname(file), name));
      else if (name.startsWith(CONTRACT)) load(resolve(CLIENT, '../../contract/src', name.slice(CONTRACT.length)));
      else loaded.add(name);
  };
  sources.forEach(load);
  return loaded;
}

test('the client loads no package except the parser of event streams', () => {
  const loaded = [...loadedModules(...['index.ts', 'mcp.ts'].map((file) => join(CLIENT, file)))];
  expect(loaded.some((name) => name.endsWith('/wire/endpoints.ts'))).toBe(true);
  expect(loaded.filter((name) => !name.startsWith('/'))).toEqual(['eventsource-parser/stream']);
});

test('only its part for Node loads modules of Node', () => {
  const loaded = [...loadedModules(join(CLIENT, 'node/node-client.ts'))];
  expect(loaded).toContain('node:fs');
});

test.each([
  ["import { z } from 'zod';", ['zod']],
  ["import { type ZodType, z } from 'zod';", ['zod']],
  ["import 'zod';", ['zod']],
  ["export { z } from 'zod';", ['zod']],
  ["export * from 'zod';", ['zod']],
  ["const { z } = await import('zod');", ['zod']],
  ["import type { z } from 'zod';", []],
  ["import { type ZodType } from 'zod';", []],
  ["export type { z } from 'zod';", []],
])('finds the run-time imports of %s', (code, imports) => {
  expect(runTimeImports('planted.ts', code)).toEqual(imports);
});
