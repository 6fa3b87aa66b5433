import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClientCredentials, obtainTokens, sendRequest } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { runClientCommand } from '../support/run-cli.ts';
import { startServer } from '../support/server.ts';

const test = needs('ffmpeg').concurrent;

test('does not write a configured admin secret to disk, and removes the file of an earlier one', {
  tags: 'long',
}, async ({ expect }) => {
  const folder = await testFolder('given');
  const [dataDir, secretFile] = [join(folder, 'data'), join(folder, 'secret')];
  await mkdir(dataDir);
  await writeFile(join(dataDir, 'admin-client.json'), '{"clientId":"admin","clientSecret":"of yesterday"}');
  await writeFile(secretFile, 'given from outside\n');
  const server = await startServer({
    dataDir,
    mediaRoot: join(folder, 'media'),
    env: { TELECINE_ADMIN_SECRET_FILE: secretFile },
    args: ['--no-worker'],
  });
  expect(await obtainTokens(server.url, { clientId: 'admin', clientSecret: 'given from outside' })).toBeDefined();
  expect(existsSync(join(dataDir, 'admin-client.json'))).toBe(false);
  expect(server.log()).not.toContain('given from outside');
});

test('the first start writes the admin secret to a file of the service’s user and not to the log; a rotation updates the file, a revocation removes it', async ({
  expect,
}) => {
  const server = await startServer({ args: ['--no-worker'] });
  const file = join(server.dataDir, 'admin-client.json');
  const read = async () => JSON.parse(await readFile(file, 'utf8')) as ClientCredentials;
  const old = await read();
  expect(old.clientId).toBe('admin');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(server.log()).toContain(file);
  expect(server.log()).not.toContain(old.clientSecret);
  await runClientCommand(server, 'rotate', 'admin');
  expect(await obtainTokens(server.url, await read())).toBeDefined();
  const rejected = await sendRequest(server.url, '/api/auth/token', { body: old });
  expect(rejected.status).toBe(401);
  await runClientCommand(server, 'revoke', 'admin', '--yes');
  expect(existsSync(file)).toBe(false);
});
