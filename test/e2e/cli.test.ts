import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { MediaInfo } from '../../packages/contract/src/domain/media-info.ts';
import type { DryRunView } from '../../packages/contract/src/wire/dry-run.ts';
import type { JobListView, JobView } from '../../packages/contract/src/wire/job.ts';
import type { ApiClient } from '../support/api-client.ts';
import { cliUsers } from '../support/cli-user.ts';
import { commonServer } from '../support/common-server.ts';
import { writePictures } from '../support/conversion-media.ts';
import { pathsBelow, testFolder } from '../support/folders.ts';
import { insertClient } from '../support/insert-client.ts';
import { clip, putClip } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { decodesWithoutErrors, probe } from '../support/probe.ts';
import { runCli, startCli } from '../support/run-cli.ts';
import { sampled } from '../support/sampled.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = commonServer();

const createUser = cliUsers(start);

/** Files and folders that commands have uploaded to a media root and not removed. */
const leftIn = (root: string): Promise<readonly string[]> => pathsBelow(join(root, 'cli'));

const newest = async (api: ApiClient): Promise<JobView> => {
  const [job] = (await api.list('?limit=1')).jobs;
  return job ?? expect.fail('there is no job');
};

needs('ffmpeg', 'linux').concurrent(
  'an output where no folder can be made fails, and hangs nowhere',
  { tags: 'long' },
  async ({ expect }) => {
    const { run } = await createUser();
    const { code, stderr } = await run('convert', 'in.mp4', '/proc/x/y/out.mp4', '-p', 'c=copy');
    expect(code).not.toBe(0);
    // Only root seems to have the right to write there.
    const isRoot = process.getuid?.() === 0;
    const reasons = isRoot
      ? ["ENOENT: no such file or directory, mkdir '/proc/x'", 'The output stays on the service']
      : ['You cannot write files to /proc.'];
    for (const reason of reasons) expect(stderr).toContain(reason);
  },
);

needs('ffmpeg').concurrent(
  'a file goes there, is converted, and comes back, whatever it is named',
  async ({ expect }) => {
    const name = '-Größe & Maß %03d [1].mp4';
    const { run, root, cwd } = await createUser(name);
    const options = [
      '-p',
      'c:v=libx264',
      '-p',
      'preset=ultrafast',
      '-p',
      's=320x180',
      '-p',
      'an',
      '-p',
      'metadata=title=a=b',
      '-p',
      'metadata=artist=c',
    ];
    const { code, stdout, stderr } = await run('convert', ...options, '--', name, 'sub folder/öut.mkv');
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^sub folder\/öut\.mkv {2}\d+ kB {2}\d\.\d\d s {2}h264 320×180\n$/);
    expect(stderr).toMatch(/upload +100%[\s\S]*convert +100% {2}done in[\s\S]*download +100%/);
    const outputReport = await probe(join(cwd, 'sub folder/öut.mkv'));
    expect(outputReport.streams).toEqual([expect.objectContaining({ codec_name: 'h264', width: 320, height: 180 })]);
    expect(outputReport.tags).toMatchObject({ title: 'a=b', ARTIST: 'c' });
    expect(await readdir(join(cwd, 'sub folder'))).toEqual(['öut.mkv']);
    // The service's own folder stays. Nothing else does.
    expect((await readdir(root)).filter((name) => name !== '.telecine')).toEqual([]);
  },
);

needs('ffmpeg').concurrent('saves each file of a recipe that writes several', async ({ expect }) => {
  const { run, cwd } = await createUser();
  const recipes = [
    ['sheet.jpg', 'sprite-sheet', 'sheet.vtt'],
    ['film.mp4', 'web-package', 'film-poster.jpg'],
  ] as const;
  for (const [output, recipe, other] of recipes) {
    expect(await run('convert', 'in.mp4', output, '--preset', recipe)).toMatchObject({ code: 0 });
    expect(await readdir(cwd)).toEqual(expect.arrayContaining([output, other]));
  }
});

needs('ffmpeg').concurrent(
  'rejects a codec that the container cannot hold before the upload',
  { tags: 'long' },
  async ({ expect }) => {
    const { run, root } = await createUser();
    const { code, stdout, stderr } = await run('convert', 'in.mp4', 'out.webm', '-p', 'c:v=libx264');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: The container webm does not support h264; encoders .*\nSend -p c:v=libvpx-vp9\.$/m);
    expect(stderr).not.toContain('upload');
    expect(await leftIn(root)).toEqual([]);
  },
);

needs('ffmpeg').concurrent(
  'deletes what earlier commands left a week ago, and nothing else',
  { tags: 'long' },
  async ({ expect }) => {
    const { run, api, root } = await createUser();
    const write = async (path: string): Promise<string> => {
      await mkdir(join(root, path, 'out'), { recursive: true });
      await writeFile(join(root, path, '0-in.mp4'), '');
      await writeFile(join(root, path, 'out/a.mp4'), '');
      return path;
    };
    const day = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    const old = await write(`cli/${day(9)}-${crypto.randomUUID()}`);
    await mkdir(join(root, old, 'empty/folders'), { recursive: true });
    const uploaded = [
      await write(`cli/${day(6)}-${crypto.randomUUID()}`),
      await write(`cli/kept/${crypto.randomUUID()}`),
      await write('cli/2020-01-01'),
    ];
    const { code } = await run('convert', 'in.mp4', 'server:later.mkv', '-p', 'c=copy', '--no-wait', '--quiet');
    expect(code).toBe(0);
    const today = (await readdir(join(root, 'cli'))).filter((name) => name.startsWith(day(0)));
    expect(today).toHaveLength(1);
    expect((await readdir(join(root, 'cli'))).map((name) => `cli/${name}`).toSorted()).toEqual(
      ['cli/kept', ...uploaded.filter((path) => !path.includes('kept')), `cli/${today[0]}`].toSorted(),
    );
    for (const path of uploaded) expect(await readdir(join(root, path))).toEqual(['0-in.mp4', 'out']);
    expect((await newest(api)).output).toBe('later.mkv');
  },
);

needs('ffmpeg').concurrent(
  'finishes and cleans up although nobody reads its progress',
  { tags: 'long' },
  async ({ expect }) => {
    const { begin, root, cwd } = await createUser();
    const { child, ended } = begin('convert', 'in.mp4', 'out.mkv', '-p', 'c=copy');
    child.stdout?.destroy();
    child.stderr?.destroy();
    expect((await ended).code).toBe(0);
    expect(await decodesWithoutErrors(join(cwd, 'out.mkv'))).toBe(true);
    expect(await leftIn(root)).toEqual([]);
  },
);

needs('ffmpeg').concurrent(
  'an output of many files fills its folder, and --json tells what was saved',
  { tags: 'long' },
  async ({ expect }) => {
    const { run, root, cwd } = await createUser();
    const options = ['-p', 'c=copy', '-p', 'hls_time=1', '-p', 'hls_segment_filename=parts/%03d.ts'];
    const { code, stdout, stderr } = await run('convert', 'in.mp4', 'hls/index.m3u8', ...options, '--json');
    expect([code, stderr]).toEqual([0, '']);
    const result = JSON.parse(stdout) as JobView & { files: { path: string; sizeBytes: number }[] };
    expect(result.status).toBe('COMPLETED');
    expect(result.files[0]?.path).toBe('hls/index.m3u8');
    const saved = await readdir(join(cwd, 'hls/parts'));
    expect(
      result.files
        .map(({ path }) => path)
        .slice(1)
        .toSorted(),
    ).toEqual(saved.toSorted().map((one) => `hls/parts/${one}`));
    expect((await probe(join(cwd, 'hls/index.m3u8'))).durationSeconds).toBeCloseTo(3, 0);
    expect(await decodesWithoutErrors(join(cwd, 'hls/index.m3u8'))).toBe(true);
    expect(await leftIn(root)).toEqual([]);
  },
);

needs('ffmpeg').concurrent(
  'downloads renditions to the folders that ffmpeg names',
  { tags: 'long' },
  async ({ expect }) => {
    const { run, cwd } = await createUser();
    const streams = ['-p', 'map=0:v', '-p', 'map=0:v', '-p', 'var_stream_map=v:0,name:a v:1,name:b'];
    const { code, stderr } = await run('convert', 'in.mp4', 'hls/%v/index.m3u8', '-p', 'c=copy', ...streams, '--quiet');
    expect([code, stderr]).toEqual([0, '']);
    expect((await readdir(join(cwd, 'hls'))).toSorted()).toEqual(['a', 'b']);
    expect(await decodesWithoutErrors(join(cwd, 'hls/b/index.m3u8'))).toBe(true);
  },
);

needs('ffmpeg').concurrent('an input option applies to the next input', { tags: 'long' }, async ({ expect }) => {
  const { run, cwd } = await createUser();
  await copyFile(await clip('flac', 3), join(cwd, 'sound.flac'));
  const inputs = ['-i', 't=1', 'in.mp4', 'sound.flac'];
  const { code, stderr } = await run('convert', ...inputs, 'out.mkv', '-p', 'map=0:v', '-p', 'map=1:a', '-p', 'c=copy');
  expect(code, stderr).toBe(0);
  const { streams, durationSeconds } = await probe(join(cwd, 'out.mkv'));
  expect(streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'flac']);
  expect(durationSeconds).toBeGreaterThan(2);
});

needs('sandbox').concurrent(
  'converts pictures with a duration and music to a slideshow',
  { tags: 'long' },
  async ({ expect }) => {
    const { run, cwd } = await createUser();
    await writePictures(join(cwd, 'p%d.png'), 2);
    await copyFile(await clip('flac', 3), join(cwd, 'sound.flac'));
    const { code, stderr } = await run(
      'convert',
      '--duration',
      '2',
      'p1.png',
      '--crossfade',
      '1',
      'p2.png',
      'sound.flac',
      'show.mp4',
    );
    expect(code, stderr).toBe(0);
    const { streams, durationSeconds } = await probe(join(cwd, 'show.mp4'));
    expect(streams.map(({ codec_type }) => codec_type)).toEqual(['video', 'audio']);
    expect(durationSeconds).toBeCloseTo(3, 0);
  },
);

needs('sandbox').concurrent('uploads a file that a filter reads', { tags: 'long' }, async ({ expect }) => {
  const { run, cwd } = await createUser();
  await writeFile(join(cwd, 'it’s, [words].srt'), '1\n00:00:00,500 --> 00:00:01,500\nGuten Tag\n');
  const filter = ['-p', 'vf=scale=320:180,subtitles={1}', '-p', 'an'];
  const { code, stderr } = await run('convert', 'in.mp4', 'it’s, [words].srt', 'out.mp4', ...filter);
  expect(code, stderr).toBe(0);
  expect((await probe(join(cwd, 'out.mp4'))).streams).toHaveLength(1);
});

needs('ffmpeg').concurrent(
  'does not transfer inputs and outputs with the prefix server:',
  { tags: 'long' },
  async ({ expect }) => {
    const { run, api, root } = await createUser();
    await putClip(root, '480p', 3, 'there.mp4');
    const { code, stdout } = await run('convert', 'server:there.mp4', 'server:made/out.mkv', '-p', 'c=copy');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^made\/out\.mkv /);
    expect((await newest(api)).input).toBe('there.mp4');
    expect(await readdir(join(root, 'made'))).toEqual(['out.mkv']);
    const again = await run('convert', 'server:there.mp4', 'server:made/out.mkv', '-p', 'c=copy');
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('OUTPUT_EXISTS');
    expect((await run('convert', 'server:there.mp4', 'server:made/out.mkv', '-p', 'c=copy', '-y')).code).toBe(0);
  },
);

needs('ffmpeg').concurrent(
  'prints the job id and exits if it does not wait, and the job continues',
  { tags: 'long' },
  async ({ expect }) => {
    const { run, api, root } = await createUser();
    const rejected = await run('convert', 'in.mp4', 'out.mkv', '--no-wait');
    expect(rejected).toMatchObject({ code: 2, stderr: expect.stringContaining('server:path') });
    const { code, stdout } = await run('convert', 'in.mp4', 'server:later.mkv', '-p', 'c=copy', '--no-wait', '--quiet');
    expect(code).toBe(0);
    expect(await api.wait(stdout.trim())).toMatchObject({ status: 'COMPLETED' });
    expect((await probe(join(root, 'later.mkv'))).streams).toHaveLength(2);
  },
);

needs('ffmpeg').concurrent(
  'a dry run shows the command and its oddities, and sends nothing over',
  { tags: 'long' },
  async ({ expect }) => {
    const { run, api } = await createUser();
    const before = (await api.list()).jobs.length;
    const { code, stdout, stderr } = await run('convert', 'in.mp4', 'o.mp4', '-p', 't=5', '-p', 'q:v=2', '--dry-run');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ffmpeg .* -i file:in\/0\.mp4 .*-t 5 -q:v 2 -f mp4 file:out\/o\.mp4\n$/);
    expect(stderr).toMatch(/^warning: "q:v" has no effect[^\n]*\n$/);
    const { argv } = JSON.parse((await run('convert', 'in.mp4', 'o.mp4', '--dry-run', '--json')).stdout) as DryRunView;
    expect(argv[0]?.[0]).toBe('ffmpeg');
    expect((await api.list()).jobs.length).toBe(before);
  },
);

needs('ffmpeg').concurrent(
  'keeps an existing output and uploads nothing; -y replaces it',
  { tags: 'long' },
  async ({ expect }) => {
    const { run, root, cwd } = await createUser();
    await writeFile(join(cwd, 'out.mkv'), 'mine');
    const { code, stderr } = await run('convert', 'in.mp4', 'out.mkv', '-p', 'c=copy');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: out\.mkv already exists.*\n.*-y .*\n$/);
    const both = await run('convert', 'in.mp4', 'out.mkv', '-p', 'c=copy', '-p', 'n', '-y');
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('"n" keeps an existing output') });
    expect(await readFile(join(cwd, 'out.mkv'), 'utf8')).toBe('mine');
    expect((await run('convert', 'in.mp4', 'out.mkv', '-p', 'c=copy', '-y')).code).toBe(0);
    expect((await probe(join(cwd, 'out.mkv'))).streams).toHaveLength(2);
    expect((await readdir(cwd)).toSorted()).toEqual(['in.mp4', 'out.mkv']);
    expect(await leftIn(root)).toEqual([]);
  },
);

needs('ffmpeg').concurrent(
  'files beside the output are kept too, and then the result stays on the service',
  { tags: 'long' },
  async ({ expect }) => {
    const { run, root, cwd } = await createUser();
    await mkdir(join(cwd, 'hls'));
    await writeFile(join(cwd, 'hls/0.ts'), 'mine');
    const options = ['-p', 'c=copy', '-p', 'hls_segment_filename=%d.ts', '--json'];
    const { code, stdout } = await run('convert', 'in.mp4', 'hls/index.m3u8', ...options);
    expect(code).toBe(1);
    const { error } = JSON.parse(stdout) as { error: { code: string; fix: string } };
    expect(error.code).toBe('NOT_SAVED');
    expect(await readFile(join(cwd, 'hls/0.ts'), 'utf8')).toBe('mine');
    expect(await readdir(join(cwd, 'hls'))).toEqual(['0.ts']);
    const [, uploaded = ''] = /server:(\S+\.m3u8)\.$/.exec(error.fix) ?? [];
    expect(await decodesWithoutErrors(join(root, uploaded))).toBe(true);
    expect((await leftIn(root)).filter((path) => path.endsWith('.mp4'))).toEqual([]);
  },
);

needs('ffmpeg').concurrent(
  'what is wrong with a request is told option by option before anything is sent',
  { tags: 'long' },
  async ({ expect }) => {
    const { run, api } = await createUser();
    const before = (await api.list()).jobs.length;
    const options = ['-p', 'c:v=libx265', '-p', 'crf=hello', '-p', 'presett=fast'];
    const { code, stdout, stderr } = await run('convert', 'in.mp4', 'out.mp4', ...options);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^error: The request has 2 errors/);
    expect(stderr).toMatch(/ -p crf: .*"hello"/);
    expect(stderr).toMatch(/ -p presett: .*preset/);
    expect(stderr).not.toContain('upload');
    const json = await run('convert', 'in.mp4', 'out.mp4', ...options, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      error: { code: 'INVALID_REQUEST', problem: { status: 400, errors: [{}, {}] } },
    });
    const one = await run('convert', 'in.mp4', 'out.mp4', '-p', 'c:v=libx264', '-p', 'crf=99', '--json');
    expect(JSON.parse(one.stdout)).toMatchObject({
      error: { message: expect.stringContaining('must be 0 to 51, not "99"') },
    });
    expect((await api.list()).jobs.length).toBe(before);
  },
);

needs('ffmpeg').concurrent(
  'errors and warnings name files as the caller does',
  { tags: 'long' },
  async ({ expect }) => {
    const { run, root, cwd } = await createUser();
    const text = 'some notes, not a film at all, with a name of some length.mp4';
    await writeFile(join(cwd, text), 'no media');
    await writeFile(join(cwd, 'a.srt'), '1\n00:00:00,500 --> 00:00:01,500\nGuten Tag\n');
    const says = async (...args: readonly string[]): Promise<string> => {
      const { stdout, stderr } = await run(...args);
      // The output shows neither the folder of the command nor the number before the name of an upload.
      expect(stdout + stderr).not.toMatch(/cli\/|\b0-/);
      return stderr;
    };
    expect(await says('probe', '/etc/passwd')).toContain('"/etc/passwd"');
    expect(await says('probe', `./${text}`)).toContain(`"./${text}"`);
    expect(await says('convert', join(cwd, text), 'out.mkv')).toContain(`"${join(cwd, text)}"`);
    const graph = 'vf=subtitles={1}:force_stile=1';
    expect(await says('convert', 'in.mp4', 'a.srt', 'out.mkv', '-p', graph)).toContain('Send "force_style".');
    const cut = await says('convert', 'in.mp4', 'out.mkv', '-p', `vf=scale=${'1+'.repeat(16)}{0}`);
    expect(cut).toContain('not "1+1+');
    const unused = await says('convert', 'in.mp4', text, 'out.mkv', '-p', 'map=0:v', '-p', 'c=copy', '--strict');
    expect(unused).toContain(`"${text}"`);
    const json = await run('convert', text, 'out.mkv', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { message: expect.stringContaining(`"${text}"`) } });
    const hls = ['-p', 'hls_segment_filename=x%d.ts', '-p', 'hls_segment_filename=y.ts'];
    expect(await says('convert', 'in.mp4', 'sub/a.m3u8', ...hls)).toContain('error: ');
    expect((await readdir(root)).filter((name) => name !== '.telecine')).toEqual([]);
  },
);

needs('ffmpeg').concurrent(
  'an output whose name begins with a dot is saved with its segments, and nothing else',
  { tags: 'long' },
  async ({ expect }) => {
    const { run, root, cwd } = await createUser();
    const { code, stderr } = await run('convert', 'in.mp4', 'hls/.index.m3u8', '-p', 'c=copy');
    expect(code, stderr).toBe(0);
    for (const name of await readdir(join(cwd, 'hls'))) expect(name).toMatch(/^\.index(?:\.m3u8|\d+\.ts)$/);
    expect(await decodesWithoutErrors(join(cwd, 'hls/.index.m3u8'))).toBe(true);
    expect((await run('convert', 'in.mp4', '.out.mkv', '-p', 'c=copy')).code).toBe(0);
    expect(await decodesWithoutErrors(join(cwd, '.out.mkv'))).toBe(true);
    expect((await readdir(cwd)).toSorted()).toEqual(['.out.mkv', 'hls', 'in.mp4']);
    expect(await leftIn(root)).toEqual([]);
  },
);

test.concurrent('rejects an unknown command or option, and shows how to write options of ffmpeg', async ({
  expect,
}) => {
  const typed = (...args: readonly string[]) => runCli(args, {});
  expect(await typed('convrt', 'a', 'b')).toMatchObject({ code: 2, stderr: expect.stringContaining('convert') });
  expect(await typed('--version')).toMatchObject({ code: 0 });
  const asToFfmpeg = await typed('convert', 'in.mp4', 'out.mp4', '-crf', '23');
  expect(asToFfmpeg).toMatchObject({ code: 2, stderr: expect.stringContaining('-p name=value') });
});

needs('ffmpeg').concurrent(
  'a failed conversion prints the cause and leaves no file',
  { tags: 'long' },
  async ({ expect }) => {
    const { run, root, cwd } = await createUser();
    await writeFile(join(cwd, 'text.mp4'), 'no media at all');
    const { code, stdout, stderr } = await run('convert', 'text.mp4', 'out.mkv');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/INPUT_INVALID[\s\S]*\nerror: [\s\S]*telecine jobs log [\w-]{36}/);
    const json = await run('convert', 'text.mp4', 'out.mkv', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ status: 'FAILED', error: { code: 'INPUT_INVALID' }, files: [] });
    expect(json.code).toBe(1);
    expect(await readdir(cwd)).not.toContain('out.mkv');
    expect(await leftIn(root)).toEqual([]);
  },
);

/** Settings of a service that is unreachable. */
const NOWHERE = { TELECINE_URL: 'http://127.0.0.1:9', TELECINE_CLIENT_ID: 'a', TELECINE_CLIENT_SECRET: 'b' };

const WRONG_USAGE = [
  [['in.mp4'], 'in.mov out.mp4'],
  [['nowhere.mp4', 'out.mp4'], 'no file nowhere.mp4'],
  [['frames/%03d.png', 'out.mp4'], 'No image has such a name with a number either'],
  [['in.mp4', '.'], 'is a folder'],
  [['in.mp4', '-', '-f', 'mp4'], '- would be a pipe. Inputs and outputs are files.'],
  [['pipe:0', 'out.mp4'], 'For a local file of that name: ./pipe:0'],
  [['', 'out.mp4'], 'The name of a file is empty.'],
  [['in.mp4', 'out.mp4', '--fromat', 'mp4'], '--format'],
  [['in.mp4', 'out.mp4', '-p', '-an'], 'without the dash: an'],
  [['in.mp4', 'out.mp4', '--timeout', '0'], 'from 1 to 2073600'],
  [
    ['in.mp4', 'out.mp4', '--expires-after', '1.5h'],
    'whole seconds from 60 to 315360000, or a whole number with s, m, h or d',
  ],
  [['in.mp4', 'out.mp4', '--expires-after', '30'], 'from 60 to'],
  [['in.mp4', 'out.mp4', '--url', 'ftp://x'], '--url'],
  [['in.mp4', 'https://x/y.mp4'], 'https://x/y.mp4 is an address'],
  [['ftp://x/y.mp4', 'out.mp4'], 'ftp://x/y.mp4 is an address'],
] as const;

test.concurrent.for(sampled(WRONG_USAGE, WRONG_USAGE.length))(
  'wrong usage is reported before any service is called, with exit status 2: %j',
  async ([args, message], { expect }) => {
    const cwd = await testFolder('here');
    await writeFile(join(cwd, 'in.mp4'), '');
    const { code, stdout, stderr } = await startCli(['convert', ...args], NOWHERE, { cwd }).ended;
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  },
);

test.concurrent('an unreachable service and rejected credentials have their own exit statuses', {
  tags: 'long',
}, async ({ expect }) => {
  const { server, settings } = await createUser();
  const jobs = (more: Record<string, string>) => runCli(['jobs'], { TELECINE_URL: server.url, ...more });
  const { TELECINE_CLIENT_ID, TELECINE_CLIENT_SECRET } = settings;
  expect(await jobs({ ...settings, TELECINE_URL: NOWHERE.TELECINE_URL })).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('cannot be reached'),
  });
  expect(await jobs({ TELECINE_CLIENT_ID, TELECINE_CLIENT_SECRET: 'not-it' })).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('secret is wrong'),
  });
  expect(await jobs({ TELECINE_TOKEN: 'not-a-token' })).toMatchObject({ code: 3 });
  expect(await jobs({ TELECINE_CLIENT_ID })).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('TELECINE_CLIENT_SECRET_FILE'),
  });
  const file = join(await testFolder('secret'), 'secret');
  await writeFile(file, `${TELECINE_CLIENT_SECRET}\n`);
  expect(await jobs({ TELECINE_CLIENT_ID, TELECINE_CLIENT_SECRET_FILE: file })).toMatchObject({
    code: 0,
    stdout: 'No jobs.\n',
  });
  const { clientId, clientSecret } = await insertClient(server, 'reader', { scopes: ['jobs:read'] });
  const reader = { ...settings, TELECINE_CLIENT_ID: clientId, TELECINE_CLIENT_SECRET: clientSecret };
  expect(await runCli(['convert', 'server:a.mp4', 'server:b.mp4'], reader)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('jobs:write'),
  });
});

test.concurrent('uses the admin secret in the data folder for a local service, and never for another one', {
  tags: 'long',
}, async ({ expect }) => {
  const { server } = await start();
  const operator = { TELECINE_URL: server.url, TELECINE_DATA_DIR: server.dataDir };
  expect(await runCli(['jobs'], operator)).toMatchObject({ code: 0 });
  expect(await runCli(['jobs'], { ...operator, TELECINE_DATA_DIR: '/nowhere' })).toMatchObject({ code: 3 });
  expect(await runCli(['jobs'], { ...operator, TELECINE_URL: 'http://media.example.org' })).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('TELECINE_CLIENT_ID'),
  });
});

test.concurrent.for([[['convert', '--help']], [['jobs']]] as const)(
  'a command loads no module of the service: %j',
  async ([args], { expect }) => {
    const { server } = await start();
    const settings = { TELECINE_URL: server.url, TELECINE_DATA_DIR: server.dataDir };
    const folder = await testFolder('coverage');
    // Node lists all loaded modules in this folder.
    expect(await runCli(args, { ...settings, NODE_V8_COVERAGE: folder })).toMatchObject({ code: 0 });
    const [report = ''] = await readdir(folder);
    const { result } = JSON.parse(await readFile(join(folder, report), 'utf8')) as { result: { url: string }[] };
    const files = result.flatMap(({ url }) => (url.includes('/dist/') ? fileURLToPath(url) : []));
    // A comment in the bundle names each module.
    const code = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
    const loaded = Array.from(code.matchAll(/^\/\/ ((?:packages|node_modules)\/.*)/gm), ([, name = '']) => name);
    expect(loaded).toContain(`packages/cli/src/commands/${args[0]}.ts`);
    expect(
      loaded.filter((name) =>
        /^packages\/(?:ffmpeg|service\/src\/(?:store|queue|media|http|jobs|auth|files))\//.test(name),
      ),
    ).toEqual([]);
    expect(loaded.filter((name) => /^node_modules\/(?:zod|kysely|fastify|pino)\//.test(name))).toEqual([]);
  },
);

/** Options with which a conversion still runs during the test. They use no lookahead, which would delay the exit. */
const SLOW = ['c:v=libx264', 'preset=placebo', 'tune=zerolatency', 'threads=1', 's=1920x1080', 'an'].flatMap((one) => [
  '-p',
  one,
]);

needs('ffmpeg', 'linux')('Ctrl-C cancels the job and leaves nothing; no secret is ever seen', async () => {
  const { begin, api, server, root, cwd, settings } = await createUser();
  const { child, wrote, ended } = begin('convert', 'in.mp4', 'out.mkv', ...SLOW, '--progress', 'json');
  await wrote('"CONVERTING"');
  const commandLine = await readFile(`/proc/${child.pid}/cmdline`, 'utf8');
  child.kill('SIGINT');
  const { code, stdout, stderr } = await ended;
  expect(code).toBe(130);
  expect(stderr).toContain('error: Cancelled.');
  expect(await newest(api)).toMatchObject({ status: 'CANCELLED' });
  expect(await readdir(cwd)).toEqual(['in.mp4']);
  expect(await leftIn(root)).toEqual([]);
  for (const text of [commandLine, stdout, stderr, server.log()]) {
    expect(text).not.toContain(settings.TELECINE_CLIENT_SECRET);
    expect(text).not.toContain('eyJ');
  }
});

needs('ffmpeg')('Ctrl-C while a file goes over leaves nothing either', { tags: 'long' }, async () => {
  // It lets files through that are large enough for this.
  const { begin, root, cwd } = await cliUsers(sharedServer())();
  await writeFile(join(cwd, 'big.mp4'), Buffer.alloc(200_000_000));
  const { child, wrote, ended } = begin('convert', 'big.mp4', 'out.mkv', '--progress', 'json');
  await wrote('"upload"');
  child.kill('SIGINT');
  expect((await ended).code).toBe(130);
  expect(await leftIn(root)).toEqual([]);
});

needs('ffmpeg')(
  'a job that somebody else cancels ends with the code of a cancelled one',
  { tags: 'long' },
  async () => {
    const { begin, api, root } = await createUser();
    const { wrote, ended } = begin('convert', 'in.mp4', 'out.mkv', ...SLOW, '--json', '--progress', 'json');
    await wrote('"CONVERTING"');
    await api.request(`/api/conversion/${(await newest(api)).jobId}/cancel`, { method: 'POST' });
    const { code, stdout } = await ended;
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'CANCELLED', files: [] });
    expect(await leftIn(root)).toEqual([]);
  },
);

needs('ffmpeg')('a second Ctrl-C ends the command at once', { tags: 'long' }, async () => {
  const { begin, api } = await createUser();
  const { child, wrote, ended } = begin('convert', 'in.mp4', 'out.mkv', ...SLOW, '--progress', 'json');
  await wrote('"CONVERTING"');
  child.kill('SIGINT');
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 130 });
  const { jobId, status } = await newest(api);
  if (status === 'PROCESSING') await api.request(`/api/conversion/${jobId}/cancel`, { method: 'POST' });
  await api.wait(jobId);
});

needs('ffmpeg')('what takes longer than --timeout is cancelled', { tags: 'long' }, async () => {
  const { run, api, root } = await createUser();
  const { code, stdout } = await run('convert', 'in.mp4', 'out.mkv', ...SLOW, '--timeout', '5', '--json');
  expect(code).toBe(5);
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'TIMED_OUT' } });
  expect(await newest(api)).toMatchObject({ status: 'CANCELLED' });
  expect(await leftIn(root)).toEqual([]);
});

needs('ffmpeg')('jobs are listed, shown, repeated, cancelled and forgotten', async () => {
  const { run, api, root } = await createUser();
  await putClip(root, '480p', 3, 'jobs.mp4');
  const id = (await run('convert', 'server:jobs.mp4', 'server:jobs.mkv', '-p', 'c=copy', '--no-wait')).stdout.trim();
  await api.wait(id);
  const list = await run('jobs', '--status', 'COMPLETED', '--limit', '3');
  expect(list.stdout).toMatch(/^JOB +STATUS +CREATED +CLIENT +CONVERSION\n/);
  expect(list.stdout).toContain(`${id}  COMPLETED`);
  const { stdout: shownJob } = await run('jobs', 'show', id);
  expect(shownJob).toMatch(/^status +COMPLETED$/m);
  expect(shownJob).toMatch(/^file +jobs\.mkv {2}.*h264/m);
  expect((await run('jobs', 'log', id)).stdout).toContain('Stream mapping:');
  const again = (await run('jobs', 'retry', id)).stdout.trim();
  expect(await api.wait(again)).toMatchObject({ retryOf: id, error: { code: 'OUTPUT_EXISTS' } });
  expect((await run('jobs', 'show', id)).stdout).toMatch(new RegExp(`^retried as +${again}$`, 'm'));
  expect(await run('jobs', 'delete', id, '--outputs')).toMatchObject({ code: 0 });
  expect(await readdir(root)).not.toContain('jobs.mkv');

  const slow = (await run('convert', 'server:jobs.mp4', 'server:slow.mkv', ...SLOW, '--no-wait', '--json')).stdout;
  const { jobId } = JSON.parse(slow) as { jobId: string };
  expect((await run('jobs', 'cancel', jobId)).code).toBe(0);
  expect(await api.wait(jobId)).toMatchObject({ status: 'CANCELLED' });

  // Without a selection, it would be all jobs.
  expect(await run('jobs', 'change', 'retry')).toMatchObject({ code: 2, stderr: expect.stringContaining('--from') });
  const found = await run('jobs', 'change', 'retry', '--status', 'cancelled', '--from', '1h', '--dry-run');
  expect(found.stdout, found.stderr).toMatch(new RegExp(`^${jobId} [^]*\n1 of 1 jobs\n$`, 'm'));
});

needs('ffmpeg')(
  'jobs are listed as JSON, and a job that has ended or is unknown is an error',
  {
    tags: 'long',
  },
  async () => {
    const { run, api, root } = await createUser();
    await putClip(root, '480p', 3, 'jobs.mp4');
    const id = await api.accept({ input: 'jobs.mp4', output: 'listed.mkv', parameters: { c: 'copy' } });
    await api.wait(id);
    expect((JSON.parse((await run('jobs', 'list', '--json')).stdout) as JobListView).jobs[0]?.jobId).toBe(id);
    expect(await run('jobs', 'cancel', id)).toMatchObject({ code: 2, stderr: expect.stringContaining('error: ') });
    expect(await run('jobs', 'delete', id)).toMatchObject({ code: 0 });
    expect(await run('jobs', 'show', id)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: Job \S+ does not exist/),
    });
  },
);

needs('ffmpeg').concurrent('probes a local file and a file of the service', { tags: 'long' }, async ({ expect }) => {
  const { run, root, cwd } = await createUser('a film.mp4');
  const { code, stdout } = await run('probe', 'a film.mp4');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^a film\.mp4 {2}QuickTime \/ MOV {2}\d/);
  expect(stdout).toMatch(/^ {2}#0 +video +h264 \(High\) +854×480 {2}24 fps {2}yuv420p/m);
  expect(stdout).toMatch(/^ {2}#1 +audio +aac \(LC\) +48000 Hz {2}5\.1/m);
  await putClip(root, 'flac', 3, 'there.flac');
  const there = JSON.parse((await run('probe', 'server:there.flac', '--json')).stdout) as MediaInfo;
  expect(there.streams).toEqual([expect.objectContaining({ type: 'audio', codec: 'flac' })]);
  await writeFile(join(cwd, 'text.mp4'), 'no media');
  expect(await run('probe', 'text.mp4')).toMatchObject({ code: 1, stderr: expect.stringContaining('error: ') });
  expect(await leftIn(root)).toEqual([]);
});

needs('ffmpeg').concurrent(
  'a recipe is found in plain words and converts a local file',
  { tags: 'long' },
  async ({ expect }) => {
    const { run, api, cwd } = await createUser();
    const found = await run('recipes', 'make', 'it', 'fit', 'in', '1', 'MB', '--json');
    expect(JSON.parse(found.stdout).recipes[0]).toMatchObject({ name: 'target-size', inputs: ['film'] });
    const shown = await run('recipes', 'show', 'target-size');
    expect(shown.stdout).toMatch(/^size .*\(required\)/m);

    const quick = ['-p', 'preset=ultrafast', '--quiet'];
    const { code, stderr } = await run(
      'convert',
      'in.mp4',
      'fits.mp4',
      '--preset',
      'target-size@6',
      '-a',
      'size=0.6',
      ...quick,
    );
    expect([code, stderr]).toEqual([0, '']);
    expect((await readFile(join(cwd, 'fits.mp4'))).length).toBeLessThan(600_000);
    const job = await newest(api);
    expect(job).toMatchObject({ preset: { name: 'target-size', version: 6, arguments: { size: 0.6 } } });
    expect(job.parameters).toMatchObject({ preset: 'ultrafast', pass: '2', 'b:v': expect.stringMatching(/^\d+k$/) });

    const wrong = await run('convert', 'in.mp4', 'x.mp4', '--preset', 'target-size');
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('The recipe "target-size" needs the argument "size": ');
  },
);

needs('ffmpeg').concurrent(
  'measures a local file and compares it, and makes an input from nothing',
  { tags: 'long' },
  async ({ expect }) => {
    const { run, root, cwd } = await createUser();
    const made = await run(
      'convert',
      'in.mp4',
      '-i',
      't=1',
      'source:color=c=black:s=854x480:r=24',
      'out.mp4',
      '-p',
      'map=1:v',
    );
    expect(made.code, made.stderr).toBe(0);
    const args = ['out.mp4', 'black', 'ssim', '--reference', 'in.mp4', '--set', 'black.minSeconds=0.5'];
    const { code, stdout, stderr } = await run('analyze', ...args);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(
      /^black {2}1 part, 1 s in all \(minSeconds 0.5, share 0.98, pixel 0.1\)\n {2}0 s to 1 s\nssim {3}0\.\d+ on average, least 0\.\d+ at \d/,
    );
    expect(await leftIn(root)).toEqual([]);
    await writeFile(join(cwd, 'page.mp4'), '<!DOCTYPE html><html></html>');
    const page = await run('analyze', 'page.mp4', 'loudness');
    expect([page.code, page.stdout]).toEqual([1, '']);
    expect(page.stderr).toContain('error: The input "page.mp4" is not a media file: it is an HTML page.');
  },
);
