// @module-tag long
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cliUsers } from '../support/cli-user.ts';
import { pathsBelow } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';

const execute = promisify(execFile);

/** The arguments of the command in an error, as a shell in `cwd` reads them. */
async function commandIn(
  stderr: string,
  cwd: string,
  pattern = /: telecine (convert .*)\n$/,
): Promise<readonly string[]> {
  const [, command = ''] = pattern.exec(stderr) ?? [];
  const { stdout } = await execute('sh', ['-c', `printf '%s\\n' ${command}`], { cwd });
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
    const convert = (...flags: readonly string[]) => run('convert', 'in.mp4', 'limited.mp4', '-y', ...flags);
    const limit = ['-p', 'c:v=libx264', '-p', 'preset=ultrafast', '-p', 'maxrate=300k'];
    expect((await convert(...limit)).stderr).toContain(' Send -p bufsize=600k as well.\n');
    expect((await convert('-p', 'vf=scale=320:-2;hflip')).stderr).toContain('Send -p vf=scale=320:-2,hflip.\n');
    expect(JSON.parse((await convert('-p', 'vf=scale=320:-2;hflip', '--json')).stdout)).toMatchObject({
      error: { fix: 'Send "vf": "scale=320:-2,hflip".' },
    });
  },
);

needs('ffmpeg').concurrent(
  'a file that a filter reads is an input, and its number is in the value',
  { tags: 'long' },
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
  { tags: 'long' },
  async ({ expect }) => {
    const { run, cwd } = await createUser();
    for (const args of [
      ['in.mp4', '-i', 'ss=1', '-i', 't=1', 'part.mp4'],
      ['--duration', '1', 'in.mp4', 'part.mp4'],
    ]) {
      const { code, stdout, stderr } = await run('convert', ...args, '-y', '-p', 'preset=ultrafast');
      expect([code, stdout], stderr).toEqual([2, '']);
      expect(stderr).toContain(' would do nothing: ');
      expect(await run(...(await commandIn(stderr, cwd)))).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^part\.mp4 {2}\d+ kB {2}1\.0\d s /),
      });
    }
  },
);

needs('ffmpeg').concurrent(
  'several files and a folder get the command with --to',
  { tags: 'long' },
  async ({ expect }) => {
    const { run, cwd } = await createUser('one.mp4');
    await copyFile(join(cwd, 'one.mp4'), join(cwd, 'two.mp4'));
    await mkdir(join(cwd, 'made'));
    const inputs = ['one.mp4', 'two.mp4'];
    const { code, stderr } = await run('convert', ...inputs, 'new/', '-f', 'mkv', '-p', 'c=copy');
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^error: new\/ is a folder, [^\n]*\nFor one output, name /),
    ]);
    expect((await run(...(await commandIn(stderr, cwd)))).code).toBe(0);
    expect((await readdir(join(cwd, 'new'))).toSorted()).toEqual(['one.mkv', 'two.mkv']);
    const rejected = (fix: string) => ({ code: 2, stdout: '', stderr: expect.stringContaining(`${fix}\n`) });
    expect(await run('convert', ...inputs, 'made', '--dry-run')).toMatchObject(
      rejected('telecine convert one.mp4 two.mp4 --to made --dry-run -f mp4'),
    );
    expect(await run('convert', ...inputs, 'server:films/')).toMatchObject(rejected(' --to server:films/ -f mp4'));
    // These options make one output.
    for (const options of [
      ['-p', 'filter_complex=concat'],
      ['--duration', '3', 'title.png'],
    ])
      expect(await run('convert', ...options, ...inputs, 'made')).toMatchObject(
        rejected('is the output.\nName a file in it, such as made/out.mp4.'),
      );
  },
);

needs('ffmpeg').concurrent('files joined by "concat:" get the command that joins them', async ({ expect }) => {
  const { run, cwd } = await createUser();
  expect((await run('convert', 'in.mp4', 'part 1.ts', '-p', 'c=copy')).code).toBe(0);
  await copyFile(join(cwd, 'part 1.ts'), join(cwd, '2.ts'));
  const { code, stdout, stderr } = await run('convert', 'concat:part 1.ts|2.ts', 'out.mp4', '-p', 'c=copy');
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^error: "concat:" is not the path of a file\. /);
  expect(await run(...(await commandIn(stderr, cwd)))).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^out\.mp4 {2}.* {2}6\.\d\d s {2}h264 854×480 \+ aac\n$/),
  });
  expect((await run('convert', 'server:concat:a.ts|b.ts', 'new.mp4')).stderr).toContain(
    ' telecine convert server:a.ts server:b.ts new.mp4 --join encode',
  );
  expect((await run('convert', 'concat:a.ts|b.ts', 'in.mp4', 'new.mp4')).stderr).toContain(
    '\nName the files as inputs, a.ts b.ts, and send --join encode.',
  );
  // A file may have such a name.
  await copyFile(join(cwd, '2.ts'), join(cwd, 'concat:1|2.ts'));
  expect((await run('convert', 'concat:1|2.ts', 'named.mp4', '-p', 'c=copy')).code).toBe(0);
});

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

needs('ffmpeg').concurrent(
  'several pictures without a duration get the slideshow that was meant',
  { tags: 'long' },
  async ({ expect }) => {
    const { run, cwd } = await createUser();
    expect((await run('convert', 'in.mp4', 'p%d.jpg', '-p', 'frames:v=3')).code).toBe(0);
    const options = ['-p', 'framerate=1/2', '-p', 'r=25', '-p', 'preset=ultrafast'];
    const { stderr } = await run('convert', 'p1.jpg', 'p2.jpg', 'p3.jpg', 'show.mp4', ...options, '--dry-run');
    expect(stderr).toMatch(/^warning: ffmpeg shows only one of the 3 images: [^\n]*\n$/);
    const inputs = await commandIn(stderr, cwd, /For a slideshow, send (.*)\.\n$/);
    expect(await run('convert', ...inputs, 'show.mp4', ...options)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/ 6\.00 s {2}h264 854×480\n$/),
      stderr: expect.not.stringContaining('warning'),
    });
    // The same, and nothing more, is said when the conversion runs.
    const ran = await run('convert', 'p1.jpg', 'p2.jpg', 'one.mp4', '-p', 'preset=ultrafast', '-p', 'pix_fmt=yuv420p');
    expect(ran.stderr.match(/warning: .*/g)).toEqual([
      expect.stringContaining('ffmpeg shows only one of the 2 images'),
    ]);
  },
);
