import { copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import { cliUsers } from '../support/cli-user.ts';
import { commonServer } from '../support/common-server.ts';
import { pathsBelow, testFolder } from '../support/folders.ts';
import { clip } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { decodesWithoutErrors } from '../support/probe.ts';
import { startCli } from '../support/run-cli.ts';

const createUser = cliUsers(commonServer());

/** A line of `--json`. */
type Line = Partial<JobView> & {
  readonly file: string;
  readonly files?: readonly { readonly path: string }[];
  readonly error?: { readonly code: string; readonly fix?: string };
};

const linesOf = (stdout: string): readonly Line[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

const COPY = ['-p', 'c=copy', '-f', 'mkv'];

needs('ffmpeg').concurrent('converts each file, and says at the end which failed and why', async ({ expect }) => {
  const { run, root, cwd } = await createUser('one.mp4');
  await copyFile(join(cwd, 'one.mp4'), join(cwd, '-two, [2].mp4'));
  for (const name of ['bad.mp4', 'worse.mp4']) await writeFile(join(cwd, name), 'no media');
  const names = ['one.mp4', '-two, [2].mp4', 'bad.mp4', 'worse.mp4'];
  const { code, stdout, stderr } = await run('convert', ...COPY, '--to', 'out/', '--', ...names);
  expect(code).toBe(1);
  expect(stdout.trimEnd().split('\n').toSorted()).toEqual([
    expect.stringMatching(/^out\/-two, \[2\]\.mkv {2}\d+ kB {2}3\.\d\d s {2}h264 854×480 \+ aac$/),
    expect.stringMatching(/^out\/one\.mkv /),
  ]);
  expect(stderr).toMatch(/^error: (?:bad|worse)\.mp4, (?:bad|worse)\.mp4: .* is not a media file/m);
  expect(stderr).toMatch(/^ {2}Send the media file itself\./m);
  expect(stderr.trimEnd().split('\n').at(-1)).toBe('2 of 4 files are converted, 2 failed.');
  expect((await readdir(join(cwd, 'out'))).toSorted()).toEqual(['-two, [2].mkv', 'one.mkv']);
  expect(await decodesWithoutErrors(join(cwd, 'out/one.mkv'))).toBe(true);
  expect(await pathsBelow(join(root, 'cli'))).toEqual([]);
});

needs('ffmpeg').concurrent('prints a JSON line for each file', { tags: 'long' }, async ({ expect }) => {
  const { run, cwd } = await createUser('one.mp4');
  await writeFile(join(cwd, 'bad.mp4'), 'no media');
  const { code, stdout, stderr } = await run('convert', 'one.mp4', 'bad.mp4', '--to', 'out', ...COPY, '--json');
  expect([code, stderr]).toEqual([1, '']);
  const lines = linesOf(stdout).toSorted((a, b) => (a.file < b.file ? -1 : 1));
  expect(lines).toMatchObject([
    { file: 'bad.mp4', status: 'FAILED', error: { code: 'INPUT_INVALID' }, files: [] },
    { file: 'one.mp4', status: 'COMPLETED', files: [{ path: 'out/one.mkv' }] },
  ]);
});

needs('ffmpeg').concurrent(
  'refuses names that do not fit before anything starts',
  { tags: 'long' },
  async ({ expect }) => {
    const { run, api, cwd } = await createUser('one.mp4');
    await mkdir(join(cwd, 'sub'));
    await copyFile(join(cwd, 'one.mp4'), join(cwd, 'sub/one.mp4'));
    await copyFile(join(cwd, 'one.mp4'), join(cwd, 'two.mp4'));
    await mkdir(join(cwd, 'out'));
    await writeFile(join(cwd, 'out/two.mkv'), 'mine');
    const refuses = async (args: readonly string[], message: string) => {
      const { code, stdout, stderr } = await run('convert', ...args);
      expect([code, stdout], stderr).toEqual([2, '']);
      expect(stderr).toContain(message);
    };
    await refuses(
      ['one.mp4', 'sub/one.mp4', '--to', 'new/', ...COPY],
      'one.mp4 and sub/one.mp4 would both be converted to new/one.mkv.',
    );
    await refuses(
      ['one.mp4', 'two.mp4', '--to', 'out/', ...COPY],
      'out/two.mkv already exists.\nUse another --to, or add -y',
    );
    await refuses(['one.mp4', '--to', '.', '-f', 'mp4', '-y'], 'The output of one.mp4 would replace the input itself.');
    await refuses(['one.mp4', '--to', 'new/', '-f', 'mkv', '-p', 'c:v=libx264', '-p', 'crf=hello'], '"crf" must be');
    await refuses(['one.mp4', '--to', 'new/', ...COPY, '--no-wait'], '--no-wait requires a server: output.');
    await refuses(['one.mp4', '--to', 'new/', ...COPY, '--local', '--url', 'http://127.0.0.1:9'], '--local');
    expect((await api.list()).jobs).toEqual([]);
    expect(await readdir(cwd)).not.toContain('new');
    expect(await readFile(join(cwd, 'out/two.mkv'), 'utf8')).toBe('mine');
    const replaced = await run('convert', 'one.mp4', 'two.mp4', '--to', 'out/', ...COPY, '-y', '--quiet');
    expect(replaced).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await decodesWithoutErrors(join(cwd, 'out/two.mkv'))).toBe(true);
  },
);

needs('ffmpeg').concurrent(
  'templates, input options, plans and jobs that nobody waits for',
  { tags: 'long' },
  async ({ expect }) => {
    const { run, api, cwd } = await createUser('one.mp4');
    await mkdir(join(cwd, 'sub'));
    await copyFile(join(cwd, 'one.mp4'), join(cwd, 'sub/one.mp4'));
    const files = ['one.mp4', 'sub/one.mp4'];
    const to = ['--to', 'out/{folder}/{name}.mkv', '-p', 'c=copy'];
    const plan = await run('convert', '-i', 't=1', ...files, ...to, '--dry-run');
    expect(plan.stdout.match(/^ffmpeg .* -t 1 .*$/gm)).toHaveLength(2);
    expect((await run('convert', '-i', 't=1', ...files, ...to)).code).toBe(0);
    expect((await pathsBelow(join(cwd, 'out'))).toSorted()).toEqual(['one.mkv', 'sub', 'sub/one.mkv']);
    const later = await run(
      'convert',
      ...files,
      '--to',
      'server:later/{folder}/{name}.mkv',
      '-p',
      'c=copy',
      '--no-wait',
    );
    expect(later.code, later.stderr).toBe(0);
    const ids = later.stdout.trimEnd().split('\n');
    expect(ids).toHaveLength(2);
    const jobs = await Promise.all(ids.map((id) => api.wait(id)));
    expect(jobs.map(({ status, output }) => [status, output]).toSorted()).toEqual([
      ['COMPLETED', 'later/one.mkv'],
      ['COMPLETED', 'later/sub/one.mkv'],
    ]);
    const again = await run('convert', ...files, '--to', 'server:later/{folder}/{name}.mkv', '-p', 'c=copy');
    expect(again).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('2 outputs already exist: server:later/one.mkv, server:later/sub/one.mkv.'),
    });
  },
);

needs('ffmpeg').concurrent(
  'converts the files on the service that match a pattern, or of a folder',
  { tags: 'long' },
  async ({ expect }) => {
    const { run, api, root, cwd } = await createUser('one.mp4');
    await mkdir(join(root, 'films/deep'), { recursive: true });
    for (const name of ['a.mp4', 'b.mp4', 'c.mov', '.hidden.mp4', 'x[1].mp4', 'deep/d.mp4'])
      await copyFile(join(cwd, 'one.mp4'), join(root, 'films', name));
    const convert = (pattern: string, to: string) => run('convert', pattern, '--to', to, ...COPY);
    const some = await convert('server:films/?.mp4', 'server:copies/');
    expect(some.code, some.stderr).toBe(0);
    expect((await readdir(join(root, 'copies'))).toSorted()).toEqual(['a.mkv', 'b.mkv']);
    const all = await convert('server:films/', 'out/');
    expect(all.code, all.stderr).toBe(0);
    expect((await readdir(join(cwd, 'out'))).toSorted()).toEqual(['a.mkv', 'b.mkv', 'c.mkv', 'x[1].mkv']);
    const named = await convert('server:films/x[1].mp4', 'server:named/');
    expect(named.code, named.stderr).toBe(0);
    expect(await readdir(join(root, 'named'))).toEqual(['x[1].mkv']);
    const { jobs } = await api.list();
    expect(await convert('server:films/*.wav', 'server:sounds/')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No file on the service matches server:films/*.wav.'),
    });
    expect(await convert('server:*/a.mp4', 'server:sounds/')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has a wildcard in its folder'),
    });
    expect(await convert('server:films/?.m*', 'server:copies/')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('2 outputs already exist'),
    });
    expect((await api.list()).jobs).toEqual(jobs);
  },
);

/** Options with which a conversion still runs during the test. */
const SLOW = ['c:v=libx264', 'preset=placebo', 'tune=zerolatency', 'threads=1', 's=1920x1080', 'an'].flatMap((one) => [
  '-p',
  one,
]);

needs('ffmpeg')(
  'Ctrl-C cancels what runs, says what is done, and leaves nothing',
  { tags: 'long' },
  async ({ expect }) => {
    const { begin, api, root, cwd } = await createUser('a.mp4');
    for (const name of ['b.mp4', 'c.mp4']) await copyFile(join(cwd, 'a.mp4'), join(cwd, name));
    const files = ['a.mp4', 'b.mp4', 'c.mp4'];
    const { child, wrote, ended } = begin(
      'convert',
      ...files,
      '--to',
      'out',
      '-f',
      'mkv',
      ...SLOW,
      '--parallel',
      '2',
      '--progress',
      'json',
    );
    await wrote('"CONVERTING"');
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr.trimEnd().split('\n').at(-1)).toBe('0 of 3 files are converted, 3 not finished.');
    const { jobs } = await api.list();
    expect(jobs.length).toBeLessThanOrEqual(2);
    for (const { status } of jobs) expect(status).toBe('CANCELLED');
    expect((await readdir(cwd)).toSorted()).toEqual(files);
    expect(await pathsBelow(join(root, 'cli'))).toEqual([]);
  },
);

needs('ffmpeg').concurrent(
  'stops at once if the service is gone or the credentials are wrong',
  { tags: 'long' },
  async ({ expect }) => {
    const { settings, cwd } = await createUser('one.mp4');
    await copyFile(join(cwd, 'one.mp4'), join(cwd, 'two.mp4'));
    const run = (more: Readonly<Record<string, string>>) =>
      startCli(['convert', 'one.mp4', 'two.mp4', '--to', 'out', ...COPY], { ...settings, ...more }, { cwd }).ended;
    expect(await run({ TELECINE_CLIENT_SECRET: 'wrong' })).toMatchObject({ code: 3, stdout: '' });
    expect(await run({ TELECINE_URL: 'http://127.0.0.1:9' })).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('--local'),
    });
  },
);

needs('ffmpeg')('converts without a service, and leaves only the outputs', { tags: 'long' }, async ({ expect }) => {
  const cwd = await testFolder('local');
  for (const name of ['one.mp4', 'two.mp4']) await copyFile(await clip('480p', 3), join(cwd, name));
  const before = await readFile(join(cwd, 'one.mp4'));
  await writeFile(join(cwd, 'bad.mp4'), 'no media');
  const caches = await testFolder('caches');
  const env = { XDG_CACHE_HOME: caches };
  const local = (...args: readonly string[]) => startCli(['convert', ...args, '--local'], env, { cwd }).ended;
  const many = await local('one.mp4', 'two.mp4', 'bad.mp4', '--to', 'out/', ...COPY);
  expect(many.code).toBe(1);
  expect(many.stderr).toContain('2 of 3 files are converted, 1 failed.');
  expect(many.stderr).not.toContain('telecine jobs log');
  // What it has asked ffmpeg is kept for the next command.
  expect(await pathsBelow(join(caches, 'telecine/catalogues'))).toEqual([expect.stringMatching(/^ffmpeg-\w+\.json$/)]);
  // A dry run reads the files, and leaves nothing either.
  const planned = await local('one.mp4', 'bad.mp4', '--to', 'planned/', ...COPY, '--dry-run');
  expect(planned).toMatchObject({ code: 0, stderr: expect.stringMatching(/^one\.mp4: estimate: /m) });
  expect(planned.stderr).toMatch(/^bad\.mp4: warning: The input "bad\.mp4" .*The job would fail\./m);
  const one = await local('one.mp4', 'x/y/one.gif', '-p', 'vf=fps=5,scale=160:-2', '-p', 't=1');
  expect(one.code, one.stderr).toBe(0);
  expect(await decodesWithoutErrors(join(cwd, 'x/y/one.gif'))).toBe(true);
  expect((await pathsBelow(cwd)).toSorted()).toEqual(
    ['bad.mp4', 'one.mp4', 'out', 'out/one.mkv', 'out/two.mkv', 'two.mp4', 'x', 'x/y', 'x/y/one.gif'].toSorted(),
  );
  expect((await readFile(join(cwd, 'one.mp4'))).equals(before)).toBe(true);
  // An output is a file of its own, and no link to something that is gone.
  expect((await stat(join(cwd, 'out/one.mkv'))).nlink).toBe(1);
  expect(await local('one.mp4', 'server:out.mkv')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--local'),
  });

  // The pictures of a sequence are inputs like any other.
  expect((await local('one.mp4', 'frames/f_%02d.png', '-p', 'frames:v=5', '-p', 's=160x90')).code).toBe(0);
  const sequence = await local('-i', 'framerate=5', 'frames/f_%02d.png', 'sequence.mp4', '--json');
  expect(sequence.code, sequence.stderr).toBe(0);
  expect(JSON.parse(sequence.stdout)).toMatchObject({ outputs: [{ durationSeconds: 1 }] });
});

needs('ffmpeg')('Ctrl-C without a service ends ffmpeg, and leaves nothing', { tags: 'long' }, async ({ expect }) => {
  const cwd = await testFolder('local');
  await copyFile(await clip('480p', 3), join(cwd, 'in.mp4'));
  const args = ['convert', 'in.mp4', 'out.mkv', ...SLOW, '--local', '--progress', 'json'];
  const { child, wrote, ended } = startCli(args, {}, { cwd });
  await wrote('"CONVERTING"');
  child.kill('SIGINT');
  expect((await ended).code).toBe(130);
  expect(await readdir(cwd)).toEqual(['in.mp4']);
});
