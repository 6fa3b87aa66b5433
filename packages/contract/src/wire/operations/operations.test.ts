import { expect, test } from 'vitest';
import { ENDPOINTS, type OperationId, pathOf } from '../endpoints.ts';
import type { Operation } from './operation.ts';
import { EACH_OPERATION } from './operations.ts';

const DECLARED = Object.entries(EACH_OPERATION) as [OperationId, Operation][];

test.each(DECLARED)('the examples of %s match their schemas', (_id, { body, replies }) => {
  const bodies = body !== undefined && 'schema' in body ? [body] : [];
  const media = Object.values(replies).flatMap(({ content = {} }) => Object.values(content));
  const errors = [...bodies, ...media]
    .filter(({ example }) => example !== undefined)
    .flatMap(({ schema, example }) => schema.safeParse(example).error?.issues ?? []);
  expect(errors).toEqual([]);
});

test.each(DECLARED)('the parameters of %s are those of its path', (id, { params }) => {
  const names = [...ENDPOINTS[id].path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  expect(Object.keys(params?.shape ?? {})).toEqual(names);
});

/** Probes of files need the scope of downloads, because they store nothing. Probes of URLs need another scope (`checkProbe`). */
const READS_BY_POST: readonly OperationId[] = ['probeFile'];

test.each(DECLARED.filter(([id, { access }]) => access.by === 'token' && ENDPOINTS[id].method !== 'GET'))(
  '%s needs a scope that only those have who may change something',
  (id, { access }) => {
    const scopes = 'scopes' in access ? access.scopes : [];
    const doesWrite = scopes.some((scope) => scope === 'admin' || scope.endsWith(':write'));
    // The endpoint of MCP needs a token; each tool has scopes of its own.
    expect(doesWrite || READS_BY_POST.includes(id) || (id === 'submitForModel' && scopes.length === 0)).toBe(true);
  },
);

test('fills in the parameters of a path, and keeps slashes only in file paths', () => {
  expect(pathOf('getFormat', { name: 'a/b c' })).toBe('/api/capabilities/formats/a%2Fb%20c');
  expect(pathOf('downloadFile', { path: 'a b/ü%.bin' })).toBe('/api/files/a%20b/%C3%BC%25.bin');
});
