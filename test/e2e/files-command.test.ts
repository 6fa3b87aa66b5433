import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import { cliUsers } from '../support/cli-user.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const createUser = cliUsers(sharedServer());
const test = needs('ffmpeg');

test('telecine files moves and renames files and folders, and replaces only with -y', async () => {
  const { server, run, root, cwd } = await createUser();
  const get = async (path: string) => (await server.media.get(`${basename(root)}/${path}`)).toString();
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await writeFile(join(cwd, name), name);
  await run('upload', 'a.txt', 'b.txt');
  await run('upload', 'c.txt', '--to', 'old/');
  expect(await run('files', 'mv', 'server:a.txt', 'new/a.txt')).toMatchObject({
    code: 0,
    stdout: 'server:new/a.txt\n',
  });
  expect(await get('new/a.txt')).toBe('a.txt');
  expect(await run('files', 'mv', 'b.txt', 'new/a.txt')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"new/a.txt" exists'),
  });
  expect((await run('files', 'mv', 'b.txt', 'new/a.txt', '-y')).code).toBe(0);
  expect(await get('new/a.txt')).toBe('b.txt');
  const moved = await run('files', 'mv', 'old/', 'archive/old/', '--json');
  expect(JSON.parse(moved.stdout)).toEqual({ type: 'folder', path: 'archive/old/' });
  expect(await get('archive/old/c.txt')).toBe('c.txt');
  expect(await run('files', 'mkdir', 'empty')).toMatchObject({ code: 0, stdout: 'server:empty/\n' });
});
