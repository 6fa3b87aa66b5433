import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import type { CreatedShareView } from '../../packages/contract/src/wire/share.ts';
import { cliUsers } from '../support/cli-user.ts';
import { commonServer } from '../support/common-server.ts';
import { needs } from '../support/needs.ts';

const createUser = cliUsers(commonServer());
const test = needs('ffmpeg');

test('telecine files moves and renames files, and replaces only with -y', async () => {
  const { server, run, root } = await createUser();
  const media = server.media.below(basename(root));
  const get = async (path: string) => (await media.get(path)).toString();
  for (const name of ['a.txt', 'b.txt']) await media.put(name, name);
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
});

test('telecine files moves and makes folders', { tags: 'long' }, async () => {
  const { server, run, root, cwd } = await createUser();
  await writeFile(join(cwd, 'c.txt'), 'c.txt');
  await run('upload', 'c.txt', '--to', 'old/');
  const moved = await run('files', 'mv', 'old/', 'archive/old/', '--json');
  expect(JSON.parse(moved.stdout)).toEqual({ type: 'folder', path: 'archive/old/' });
  expect((await server.media.below(basename(root)).get('archive/old/c.txt')).toString()).toBe('c.txt');
  expect(await run('files', 'mkdir', 'empty')).toMatchObject({ code: 0, stdout: 'server:empty/\n' });
});

test('telecine share makes a link to a file, and telecine shares lists and revokes it', async () => {
  const { server, run, root } = await createUser();
  await server.media.below(basename(root)).put('a.txt', 'a text');
  const made = await run('share', 'server:a.txt', '--for', '2h', '--note', 'for Ada', '--json');
  expect(made.code, made.stderr).toBe(0);
  const { url, shareId, createdAt, expiresAt } = JSON.parse(made.stdout) as CreatedShareView;
  expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(7_200_000);
  expect(await (await fetch(url)).text()).toBe('a text');

  const { stdout } = await run('shares');
  expect(stdout.split('\n').slice(0, 2)).toEqual([
    expect.stringMatching(/^ID +UNTIL +USES +SHARED +NOTE$/),
    expect.stringMatching(/^\S+ +\S+ \S+ UTC +\d +server:a\.txt +for Ada$/),
  ]);
  expect(stdout).not.toContain('tcl_');

  expect(await run('shares', 'revoke', shareId)).toMatchObject({
    code: 0,
    stdout: 'The link is revoked.\n',
  });
  expect((await fetch(url)).status).toBe(410);
  expect((await run('shares', '--path', 'a.txt')).stdout).toMatch(/^No shared links/);
  const ended = await run('shares', '--path', 'a.txt', '--ended');
  expect(ended.stdout.split('\n').slice(0, 2), ended.stderr).toEqual([
    expect.stringMatching(/^ID +UNTIL +STATE +REVOKED BY +USES +SHARED +NOTE$/),
    expect.stringMatching(/UTC +REVOKED +\S+ +\d +server:a\.txt +for Ada$/),
  ]);
  expect((await run('shares', '--path', 'b.txt', '--ended')).stdout).toMatch(/^No shared links/);
});

test('telecine share prints a link, and says what is wrong with an id or a lifetime', { tags: 'long' }, async () => {
  const { server, run, root } = await createUser();
  await server.media.below(basename(root)).put('a.txt', 'a text');
  const text = await run('share', 'a.txt');
  expect(text.stdout).toMatch(
    /^link {3}http:\S+\/s\/tcl_[\w-]{43}\nuntil {2}\d{4}-\d\d-\d\d \d\d:\d\d UTC\nid {5}\S+\n/,
  );
  expect((await run('shares')).stdout.split('\n')[1]).toMatch(/UTC +\d +server:a\.txt$/);
  expect(await run('shares', 'revoke', randomUUID())).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('does not exist'),
  });
  expect(await run('share', 'a.txt', '--for', '31d')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Use whole seconds from 60 to 2592000'),
  });
  // An id is a job, and not a file.
  expect(await run('share', randomUUID())).toMatchObject({ code: 2, stderr: expect.stringMatching(/job/i) });
});
