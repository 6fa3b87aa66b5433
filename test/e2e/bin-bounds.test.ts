import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readClientLimits } from '../../packages/service/src/config/client-limits.ts';
import { login } from '../support/api-client.ts';
import { commonServer } from '../support/common-server.ts';
import { insertClient } from '../support/insert-client.ts';

const common = commonServer();

/** The bytes of all files in a folder, also of hidden ones. */
async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

test('a client that uploads, replaces and deletes again and again never takes more than its quota', async () => {
  const { server } = await common();
  const credentials = await insertClient(server, 'binned', {
    root: 'binned',
    limits: readClientLimits(['storage=1M']),
  });
  const { token } = await login(server.url, credentials);
  const authorization = `Bearer ${token}`;
  const put = async (headers: Record<string, string> = {}): Promise<number> => {
    const body = new Uint8Array(900_000);
    const url = `${server.url}/api/files/a.bin`;
    return (await fetch(url, { method: 'PUT', body, headers: { authorization, ...headers } })).status;
  };
  const keep = async (): Promise<number> => {
    const headers = { authorization, 'content-type': 'application/json' };
    const body = JSON.stringify({ paths: ['a.bin'], keep: true });
    return (await fetch(`${server.url}/api/file-deletions`, { method: 'POST', body, headers })).status;
  };
  const binBytes = async (): Promise<number> => {
    const reply = await fetch(`${server.url}/api/bin`, { headers: { authorization } });
    return ((await reply.json()) as { sizeBytes: number }).sizeBytes;
  };
  const stored: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    expect([await put(), await keep()]).toEqual([201, 200]);
    stored.push(await bytesIn(join(server.mediaRoot, 'binned')));
    expect(await binBytes()).toBe(900_000);
  }
  expect(Math.max(...stored)).toBeLessThanOrEqual(1_000_000);
  await put();
  for (let round = 0; round < 4; round += 1) {
    // There is no room for both, and the bin has none to give.
    expect(await put({ 'keep-replaced': 'true' })).toBe(507);
    expect(await bytesIn(join(server.mediaRoot, 'binned'))).toBeLessThanOrEqual(1_000_000);
  }
});
