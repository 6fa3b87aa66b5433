import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_CLIENT_ID } from '@telecine/contract/domain/client.ts';
import { expect, onTestFinished, test } from 'vitest';
import { hashSecret, newSecret } from '../auth/secrets.ts';
import { adminSecretFinder, writeAdminClient } from './clients.ts';

async function opened(hasOwnFile: boolean) {
  const dataDir = await mkdtemp(join(tmpdir(), 'admin-secret-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const path = join(dataDir, hasOwnFile ? 'secret' : 'admin-client.json');
  let secretHash = '';
  const find = adminSecretFinder(
    { dataDir, adminSecretFile: hasOwnFile ? path : undefined },
    { get: async () => ({ clientId: ADMIN_CLIENT_ID, scopes: ['admin'], secretHash, createdAt: '' }) },
  );
  const write = (clientSecret: string): unknown =>
    hasOwnFile ? writeFile(path, `${clientSecret}\n`) : writeAdminClient(dataDir, { clientId: 'admin', clientSecret });
  const rotate = async (secret: string): Promise<void> => {
    secretHash = await hashSecret(secret);
  };
  return { find, path, write, rotate };
}

test.each([
  ['that the operator configured', true, 'text'],
  ['that the service wrote', false, 'json'],
] as const)('the file %s is named only while its secret is that of the client', async (_name, hasOwnFile, format) => {
  const { find, path, write, rotate } = await opened(hasOwnFile);
  const [first, second] = [newSecret(), newSecret()];
  await rotate(first);
  expect(await find(), 'no file').toBeUndefined();
  await write(first);
  expect(await find()).toEqual({ path, format });
  await rotate(second);
  expect(await find(), 'rotated elsewhere').toBeUndefined();
  await write(second);
  expect(await find()).toEqual({ path, format });
});
