import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEncryption } from './order-flags.ts';

const URI = 'https://keys.example.com/film.key';
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'telecine-key-'));
});
afterAll(() => rm(folder, { recursive: true }));

const read = (encryptKeyFile?: string, encryptKeyUri?: string) =>
  readEncryption({
    ...(encryptKeyUri !== undefined && { encryptKeyUri }),
    ...(encryptKeyFile !== undefined && { encryptKeyFile: join(folder, encryptKeyFile) }),
  });

test('a key file that does not exist is made, for its owner alone, and used again', async () => {
  const made = await read('film.key', URI);
  expect(made?.encrypt).toEqual({ keyUri: URI, key: expect.stringMatching(/^[\da-f]{32}$/) });
  await made?.saveKey();
  const file = join(folder, 'film.key');
  expect((await readFile(file)).toString('hex')).toBe(made?.encrypt.key);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const again = await read('film.key', URI);
  await again?.saveKey();
  expect(again?.encrypt).toEqual(made?.encrypt);
});

test('a command that is not run leaves no key file', async () => {
  expect((await read('unused.key', URI))?.encrypt).toMatchObject({ keyUri: URI });
  await expect(stat(join(folder, 'unused.key'))).rejects.toThrow('ENOENT');
});

test('a key file that another command has made meanwhile is not replaced', async () => {
  const [one, other] = [await read('raced.key', URI), await read('raced.key', URI)];
  await one?.saveKey();
  await expect(other?.saveKey()).rejects.toMatchObject({ code: 'BAD_KEY_FILE' });
  expect((await readFile(join(folder, 'raced.key'))).toString('hex')).toBe(one?.encrypt.key);
});

test('rejects a key of another length, a folder, and one flag without the other', async () => {
  await writeFile(join(folder, 'text.key'), 'c0ffee');
  await expect(read('text.key', URI)).rejects.toMatchObject({
    code: 'BAD_KEY_FILE',
    message: expect.stringContaining('has 6 bytes'),
  });
  await expect(read('.', URI)).rejects.toMatchObject({ code: 'BAD_KEY_FILE' });
  await expect(read(undefined, URI)).rejects.toMatchObject({ code: 'NO_KEY_FILE' });
  await expect(read('film.key')).rejects.toMatchObject({ code: 'NO_KEY_URI' });
  expect(await read()).toBeUndefined();
});
