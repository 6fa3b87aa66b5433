import { execFile } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cliUsers } from '../support/cli-user.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const execute = promisify(execFile);

/** The arguments of the command at the end of an error, as a shell reads them. */
async function commandIn(stderr: string): Promise<readonly string[]> {
  const [, command = ''] = /: telecine (convert .*)\n$/.exec(stderr) ?? [];
  const { stdout } = await execute('sh', ['-c', `printf '%s\\n' ${command}`]);
  return stdout.trimEnd().split('\n');
}

const createUser = cliUsers(sharedServer({ env: { TELECINE_CONCURRENCY: '2' } }));

needs('ffmpeg').concurrent(
  'an option and its value in two words get an error that shows the form',
  async ({ expect }) => {
    const { run, cwd } = await createUser();
    const fix = (option: string) => ({
      code: 2,
      stderr: expect.stringContaining(`Write the option as one word: ${option}\n`),
    });
    expect(await run('convert', 'in.mp4', 'o.mp4', '-p', 'crf', '28')).toMatchObject(fix('-p crf=28'));
    expect(await run('convert', 'in.mp4', '-p', 'crf', '28', 'o.mp4')).toMatchObject(fix('-p crf=28'));
    // Files without an extension are files, also after a flag.
    await copyFile(join(cwd, 'in.mp4'), join(cwd, 'plain'));
    expect((await run('convert', '-p', 'an', 'plain', 'o.mp4', '-p', 'c=copy')).code).toBe(0);
    expect((await run('convert', 'in.mp4', '-p', 'an', 'plain', '-y', '-f', 'mp4', '-p', 'c=copy')).code).toBe(0);
  },
);

needs('ffmpeg').concurrent('--progress none prints the warnings of the run, --quiet does not', async ({ expect }) => {
  const { run } = await createUser();
  const convert = (...flags: readonly string[]) =>
    run('convert', 'in.mp4', 'long.mkv', '-y', '-p', 't=60', '-p', 'c=copy', ...flags);
  expect((await convert('--progress', 'none')).stderr).toMatch(/^warning: The output has [^\n]*\n$/);
  expect((await convert('--quiet')).stderr).toBe('');
  expect((await convert('--json', '--progress', 'none')).stderr).toBe('');
});

needs('ffmpeg').concurrent(
  'fixes are arguments of the command, and --json has them for programs',
  async ({ expect }) => {
    const { run } = await createUser();
    const convert = (...flags: readonly string[]) => run('convert', 'in.mp4', 'limited.mp4', '-y', ...flags);
    const limit = ['-p', 'c:v=libx264', '-p', 'preset=ultrafast', '-p', 'maxrate=300k'];
    expect((await convert(...limit)).stderr).toContain(' Send -p bufsize=600k as well.\n');
    expect((await convert('-p', 'vf=scale=320:-2 hflip')).stderr).toContain('Send -p vf=scale=320:-2,hflip.\n');
    expect(JSON.parse((await convert('-p', 'vf=scale=320:-2 hflip', '--json')).stdout)).toMatchObject({
      error: { fix: 'Send "vf": "scale=320:-2,hflip".' },
    });
  },
);

needs('ffmpeg').concurrent(
  'a file that a filter reads is an input, and its number is in the value',
  async ({ expect }) => {
    const { run, cwd } = await createUser();
    await writeFile(join(cwd, 'en.srt'), '1\n00:00:00,000 --> 00:00:01,000\nHello\n');
    const convert = (inputs: readonly string[], vf: string) =>
      run('convert', ...inputs, 'subtitled.mp4', '-p', `vf=${vf}`, '-p', 'c:v=libx264', '-p', 'preset=ultrafast');
    const rejected = (fix: string) => ({ code: 2, stderr: expect.stringContaining(`${fix}\n`) });
    const filter = 'subtitles=en.srt';
    expect(await convert(['in.mp4'], filter)).toMatchObject(
      rejected('Add en.srt as input, after the others, and write {1} instead of en.srt in the value: subtitles={1}.'),
    );
    expect(await convert(['in.mp4', 'en.srt'], filter)).toMatchObject(
      rejected('Write {1} instead of en.srt in the value: subtitles={1}.'),
    );
    expect(await convert(['in.mp4', 'en.srt'], 'subtitles={1}')).toMatchObject({ code: 0 });
  },
);

needs('ffmpeg').concurrent(
  'an option that applies to no input is an error, and its command makes what was meant',
  async ({ expect }) => {
    const { run } = await createUser();
    for (const args of [
      ['in.mp4', '-i', 'ss=1', '-i', 't=1', 'part.mp4'],
      ['--duration', '1', 'in.mp4', 'part.mp4'],
    ]) {
      const { code, stdout, stderr } = await run('convert', ...args, '-y', '-p', 'preset=ultrafast');
      expect([code, stdout], stderr).toEqual([2, '']);
      expect(stderr).toContain(' would do nothing: ');
      expect(await run(...(await commandIn(stderr)))).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^part\.mp4 {2}\d+ kB {2}1\.0\d s /),
      });
    }
  },
);
