import type { ProblemCode, Recipe } from '@telecine/client/api.ts';
import { ClientError } from '@telecine/client/client-error.ts';
import { expect, test } from 'vitest';
import { type ConversionOrder, prepareConversion } from './conversion-order.ts';
import { withRoleFiles } from './input-files.ts';

const WATERMARK = { inputs: [{ role: 'film' }, { role: 'logo' }] } as Recipe;
const client = { recipe: async () => WATERMARK };
const NEVER = new AbortController().signal;

const orderWith = (args: Readonly<Record<string, string>>): ConversionOrder => ({
  inputs: [
    {
      location: { on: 'local', path: 'in.mp4' },
      ...{ parameters: undefined, duration: undefined, crossfade: undefined },
    },
  ],
  output: { on: 'server', path: 'out.mp4' },
  ...{ format: undefined, parameters: {}, replace: false, strict: false },
  ...{ metadata: undefined, expiresAfterSeconds: undefined, priority: undefined },
  preset: { name: 'watermark', arguments: args },
});

test('an argument that names an input is uploaded, and the recipe gets its path on the service', async () => {
  const order = await withRoleFiles(orderWith({ logo: import.meta.filename, percent: '20' }), client, NEVER);
  const { request, uploads } = prepareConversion(order, 'uploads/x');
  expect(uploads).toMatchObject([
    { file: 'in.mp4', path: 'uploads/x/0-in.mp4' },
    { file: import.meta.filename, path: 'uploads/x/1-role-files.test.ts' },
  ]);
  expect(request.preset).toEqual({
    name: 'watermark',
    arguments: { logo: 'uploads/x/1-role-files.test.ts', percent: '20' },
  });
});

test('an argument can name a file on the service', async () => {
  const order = await withRoleFiles(orderWith({ logo: 'server:logos/a.png' }), client, NEVER);
  const { request, uploads } = prepareConversion(order, 'uploads/x');
  expect(uploads).toHaveLength(1);
  expect(request.preset?.arguments).toEqual({ logo: 'logos/a.png' });
});

test('a missing file is an error that names the argument', async () => {
  await expect(withRoleFiles(orderWith({ logo: 'none.png' }), client, NEVER)).rejects.toMatchObject({
    message: 'There is no file none.png.',
    fix: expect.stringContaining('-a logo=server:path'),
  });
});

test('other arguments, and those of an unknown recipe, stay as they are', async () => {
  const order = orderWith({ percent: '20' });
  expect(await withRoleFiles(order, client, NEVER)).toBe(order);
  const named = orderWith({ logo: 'none.png' });
  expect(await withRoleFiles(named, failing(404, 'NOT_FOUND'), NEVER)).toBe(named);
});

/** A client whose calls fail with this reply. */
const failing = (status: number, code: ProblemCode) => ({
  recipe: () => Promise.reject(new ClientError('rejected', 'It failed.', { status, code })),
});

test.each([
  [503, 'UNAVAILABLE'],
  [429, 'RATE_LIMITED'],
  [403, 'INSUFFICIENT_SCOPE'],
] as const)('a file is not taken for one on the service when the recipe cannot be read (%d)', async (status, code) => {
  const order = orderWith({ logo: import.meta.filename });
  await expect(withRoleFiles(order, failing(status, code), NEVER)).rejects.toMatchObject({ code });
});
