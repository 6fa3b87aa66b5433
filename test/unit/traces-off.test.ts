import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { expect, test } from 'vitest';
import type { Config } from '../../packages/service/src/config/config.ts';
import { openTraces } from '../../packages/service/src/start/observability.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** The modules that a source always loads. Parses only those that may load one for traces. */
function staticImports(file: string): readonly string[] {
  const code = readFileSync(join(ROOT, file), 'utf8');
  if (!code.includes('telemetry')) return [];
  return parseSync(file, code)
    .module.staticImports.filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
    .map(({ moduleRequest }) => moduleRequest.value);
}

test('without an endpoint for traces, there are none, and no library for them is loaded', async () => {
  const sources = globSync('packages/*/src/**/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'));
  const importing = (name: RegExp): readonly string[] =>
    sources.filter((file) => staticImports(file).some((imported) => name.test(imported)));
  expect(importing(/^@opentelemetry\//)).toEqual(['packages/service/src/telemetry/traces.ts']);
  expect(importing(/telemetry\/traces\.ts$/)).toEqual([]);
  await using closers = new AsyncDisposableStack();
  const off = { traceRatio: 1 } as Config;
  expect(await openTraces(closers, off, { warn: () => {} } as never, 'instance')).toBeUndefined();
});
