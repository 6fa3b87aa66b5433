// @module-tag long
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cliUsers } from '../support/cli-user.ts';
import { pathsBelow } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const createUser = cliUsers(sharedServer({ env: { TELECINE_CONCURRENCY: '2' } }));

needs('ffmpeg').concurrent(
  'an option and its value in two words are an error, and files need no extension',
  async ({ expect }) => {
    const { run, cwd } = await createUser();
    const missing = { code: 2, stderr: expect.stringContaining('There is no file 28.') };
    expect(await run('convert', 'in.mp4', '-p', 'crf', '28', 'o.mp4')).toMatchObject(missing);
    expect((await run('convert', 'in.mp4', 'o.mp4', '-p', 'crf', '28')).code).toBe(2);
    // Files without an extension are files, also after a flag.
    await copyFile(join(cwd, 'in.mp4'), join(cwd, 'plain'));
    expect((await run('convert', '-p', 'an', 'plain', 'o.mp4', '-p', 'c=copy')).code).toBe(0);
    expect((await run('convert', 'in.mp4', '-p', 'an', 'plain', '-y', '-f', 'mp4', '-p', 'c=copy')).code).toBe(0);
  },
);

needs('ffmpeg').concurrent(
  '--progress none prints the warnings of the run, --quiet does not',
  { tags: 'long' },
  async ({ expect }) => {
    const { run } = await createUser();
    const convert = (...flags: readonly string[]) =>
      run('convert', 'in.mp4', 'long.mkv', '-y', '-p', 't=60', '-p', 'c=copy', ...flags);
    expect((await convert('--progress', 'none')).stderr).toMatch(/^warning: The output has [^\n]*\n$/);
    expect((await convert('--quiet')).stderr).toBe('');
    expect((await convert('--json', '--progress', 'none')).stderr).toBe('');
  },
);

needs('ffmpeg').concurrent(
  'fixes are arguments of the command, and --json has them for programs',
  { tags: 'long' },
  async ({ expect }) => {
    const { run } = await createUser();
    const convert = (...flags: readonly string[]) => run('convert', 'in.mp4', 'limited.webm', '-y', ...flags);
    const inBytes = ['-p', 'b:v=1MB', '--dry-run'];
    expect((await convert(...inBytes)).stderr).toContain(' Send -p b:v=1M.\n');
    expect((await convert('-p', 'c:v=libx264')).stderr).toContain('Send -p c:v=libvpx-vp9.\n');
    expect(JSON.parse((await convert('-p', 'c:v=libx264', '--json')).stdout)).toMatchObject({
      error: { fix: 'Send "c:v": "libvpx-vp9".' },
    });
  },
);

needs('ffmpeg').concurrent('an option that applies to no input is an error', { tags: 'long' }, async ({ expect }) => {
  const { run } = await createUser();
  for (const args of [
    ['in.mp4', '-i', 'ss=1', '-i', 't=1', 'part.mp4'],
    ['--duration', '1', 'in.mp4', 'part.mp4'],
  ]) {
    const { code, stdout, stderr } = await run('convert', ...args, '-y', '-p', 'preset=ultrafast');
    expect([code, stdout], stderr).toEqual([2, '']);
    expect(stderr).toContain(' would do nothing: ');
    expect(stderr).toContain('\nWrite it before its input.');
  }
});

needs('ffmpeg').concurrent('several files and a folder need --to', { tags: 'long' }, async ({ expect }) => {
  const { run, cwd } = await createUser('one.mp4');
  await copyFile(join(cwd, 'one.mp4'), join(cwd, 'two.mp4'));
  await mkdir(join(cwd, 'made'));
  const inputs = ['one.mp4', 'two.mp4'];
  const rejected = (fix: string) => ({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(`is the output.\n${fix}\n`),
  });
  for (const folder of ['new/', 'made', 'server:films/'])
    expect(await run('convert', ...inputs, folder, '-f', 'mkv')).toMatchObject(
      rejected('Name a file in it. To convert each file on its own, name their folder with --to.'),
    );
});

needs('ffmpeg').concurrent(
  'files joined by "concat:" are no input, but a file may have such a name',
  async ({ expect }) => {
    const { run, cwd } = await createUser();
    expect((await run('convert', 'concat:a.ts|b.ts', 'new.mp4')).code).not.toBe(0);
    expect((await run('convert', 'server:concat:a.ts|b.ts', 'new.mp4')).stderr).toMatch(
      /^error: "concat:" is not the path of a file\./,
    );
    await copyFile(join(cwd, 'in.mp4'), join(cwd, 'concat:1|2.mp4'));
    expect((await run('convert', 'concat:1|2.mp4', 'named.mp4', '-p', 'c=copy')).code).toBe(0);
  },
);

needs('ffmpeg').concurrent(
  'the pattern of local pictures uploads them, and leaves none of them',
  { tags: 'long' },
  async ({ expect }) => {
    const { run, root } = await createUser();
    expect((await run('convert', 'in.mp4', 'my seq/f_%03d.png', '-p', 'frames:v=5')).code).toBe(0);
    const film = await run('convert', 'my seq/f_%03d.png', 'film.mp4', '-p', 'pix_fmt=yuv420p');
    expect(film).toMatchObject({ code: 0, stdout: expect.stringMatching(/ 0\.20 s {2}h264 854×480\n$/) });
    expect(await pathsBelow(join(root, 'cli'))).toEqual([]);
  },
);
