import { expect, test } from 'vitest';
import type { z } from 'zod';
import { ENDPOINTS, type OperationId, pathOf } from '../endpoints.ts';
import type { Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';

const DECLARED = Object.entries(OPERATIONS) as [OperationId, Operation][];

const errorsOf = (schema: z.ZodType, example: unknown): unknown =>
  example === undefined ? [] : (schema.safeParse(example).error?.issues ?? []);

test.each(DECLARED)('the examples of %s match their schemas', (_id, { body, replies }) => {
  if (body !== undefined && 'schema' in body) expect(errorsOf(body.schema, body.example)).toEqual([]);
  for (const { content = {} } of Object.values(replies))
    for (const { schema, example } of Object.values(content)) expect(errorsOf(schema, example)).toEqual([]);
});

test.each(DECLARED)('the parameters of %s are those of its path', (id, { params }) => {
  const names = [...ENDPOINTS[id].path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  expect(Object.keys(params?.shape ?? {})).toEqual(names);
});

test('fills in the parameters of a path, and keeps slashes only in file paths', () => {
  expect(pathOf('getFormat', { name: 'a/b c' })).toBe('/api/capabilities/formats/a%2Fb%20c');
  expect(pathOf('downloadFile', { path: 'a b/ü%.bin' })).toBe('/api/files/a%20b/%C3%BC%25.bin');
});
