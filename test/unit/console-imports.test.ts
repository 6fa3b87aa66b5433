import { globSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';
import { expect, test } from 'vitest';

const TREE = resolve(import.meta.dirname, '../..');
const files = globSync('console/**/*.{ts,tsx}', { cwd: TREE, exclude: ['**/*.test.ts', '**/vite.config.ts'] });

/** What a file of the console imports from the service, by path from the tree, and what it calls to reach it by itself. */
function reachOf(file: string, code: string): readonly string[] {
  const { program, module } = parseSync(file, code);
  const imported = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
  ];
  const called: string[] = [];
  new Visitor({
    CallExpression: ({ callee }) => {
      if (callee.type === 'Identifier' && callee.name === 'fetch') called.push('fetch');
    },
    NewExpression: ({ callee }) => {
      if (callee.type === 'Identifier' && /^(?:XMLHttpRequest|EventSource|WebSocket)$/.test(callee.name))
        called.push(callee.name);
    },
  }).visit(program);
  const own = imported
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(TREE, resolve(TREE, file, '..', name)))
    .filter((path) => path.startsWith('packages/'));
  return [...own, ...called];
}

test('the console reaches the service only by the client package; besides that, it has pure definitions', () => {
  expect(files.length).toBeGreaterThan(100);
  const reached = new Set(
    files.flatMap((file) =>
      reachOf(file, readFileSync(join(TREE, file), 'utf8')).map((one) =>
        one.includes('/') ? one : `${one} in ${file}`,
      ),
    ),
  );
  expect([...reached].filter((path) => !path.startsWith('packages/contract/src/domain/'))).toEqual([
    // Uppy sends uploads, by tus: decision 80.
    'packages/contract/src/wire/endpoints.ts',
    // Reads what an image element would load, for the header fields of the reply.
    'fetch in console/media/fetch-image.ts',
  ]);
});

test.each([
  ["import { x } from '../../packages/service/src/store/open.ts';", ['packages/service/src/store/open.ts']],
  ["export { x } from '../../packages/contract/src/wire/job.ts';", ['packages/contract/src/wire/job.ts']],
  ["import type { X } from '../../packages/contract/src/wire/job.ts';", ['packages/contract/src/wire/job.ts']],
  ["const reply = await fetch('/api/conversion');", ['fetch']],
  ["const stream = new EventSource('/api/events');", ['EventSource']],
  ["import { x } from '../ui/x.ts'; void client.fetch();", []],
])('finds what %s reaches', (code, reached) => {
  expect(reachOf('console/app/planted.ts', code)).toEqual(reached);
});
