import { execFileSync, spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readlink, rename, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, onTestFinished } from 'vitest';
import { identifyBuild } from '../../packages/ffmpeg/src/catalogue/build.ts';
import { launch } from '../../packages/ffmpeg/src/process/launch.ts';
import { LineSplitter } from '../../packages/ffmpeg/src/process/line-splitter.ts';
import type { RunOutcome } from '../../packages/ffmpeg/src/run/conversion-run.ts';
import { runConversion } from '../../packages/ffmpeg/src/run/run.ts';
import { confineCommand } from '../../packages/ffmpeg/src/sandbox/confine.ts';
import { findSandbox, trySandboxes } from '../../packages/ffmpeg/src/sandbox/find-sandbox.ts';
import { kernelLimits } from '../../packages/ffmpeg/src/sandbox/limits.ts';
import { pinInputs, withPinnedFiles } from '../../packages/ffmpeg/src/sandbox/pinned-files.ts';
import type { Sandbox } from '../../packages/ffmpeg/src/sandbox/sandbox.ts';
import { conversion, MOVIE, planOf, probePackets, SONG, scratch } from '../fixtures/conversion.ts';
import type { DriverJob } from '../fixtures/driver-job.ts';
import { runConfined } from '../fixtures/run-confined.ts';
import { BUBBLEWRAP, NO_SANDBOX } from '../fixtures/sandboxes.ts';
import { needs } from '../support/needs.ts';
import { tools } from '../support/tools.ts';

const DRIVER = join(import.meta.dirname, '../fixtures/convert-driver.ts');
const FIND_SANDBOX = import.meta.resolve('../../packages/ffmpeg/src/sandbox/find-sandbox.ts');
const NOBODY = 65534;

needs('ffmpeg')('switched off, it says so and how to switch it on', async () => {
  expect(await findSandbox('off', tools().ffmpegPath)).toMatchObject({
    kind: 'none',
    fix: expect.stringContaining('TELECINE_SANDBOX'),
  });
});

needs('bubblewrap')('required and impossible, the start fails with what to do', async () => {
  // A program that exits with an error looks the same as a sandbox that does not work.
  await expect(findSandbox('required', '/usr/bin/false')).rejects.toThrow(/required.*unshare/s);
  expect(await findSandbox('auto', '/usr/bin/false')).toMatchObject({ kind: 'none', reason: expect.any(String) });
});

needs('ffmpeg', 'bubblewrap')('an ffmpeg that lies below /tmp is found inside', async () => {
  const folder = await mkdtemp('/tmp/telecine-ffmpeg-');
  onTestFinished(() => rm(folder, { recursive: true }));
  const program = join(folder, 'ffmpeg');
  await copyFile(tools().ffmpegPath, program);
  expect(await findSandbox('required', program)).toMatchObject({ kind: 'bubblewrap' });
});

needs('ffmpeg', 'sandbox')(
  'the trial identifies the same build as a run without a sandbox',
  { tags: 'long' },
  async () => {
    const { ffmpegPath } = tools();
    const { versionText } = await trySandboxes('required', ffmpegPath);
    expect(versionText).toContain('ffmpeg version');
    expect(await identifyBuild(ffmpegPath, versionText)).toEqual(await identifyBuild(ffmpegPath));
  },
);

needs(
  'ffmpeg',
  'bubblewrap',
  'mounting',
)('it works where /proc/sys is read-only, as in containers', async () => {
  const script = [
    `import { execFileSync } from 'node:child_process';`,
    `import { findSandbox } from ${JSON.stringify(FIND_SANDBOX)};`,
    `execFileSync('mount', ['--bind', '/proc/sys', '/proc/sys']);`,
    `execFileSync('mount', ['-o', 'remount,bind,ro', '/proc/sys']);`,
    `console.log(JSON.stringify(await findSandbox('required', process.argv[1])));`,
  ].join('\n');
  const argv = ['--mount', process.execPath, '--input-type=module', '-e', script, tools().ffmpegPath];
  const child = spawn('unshare', argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  expect(JSON.parse(await text(child.stdout))).toMatchObject({ kind: 'bubblewrap', disablesUserns: false });
});

needs('ffmpeg', 'bubblewrap')('libx265 uses the same threads inside as outside', { tags: 'long' }, async () => {
  const encode = ['-t', '0.2', '-an', '-c:v', 'libx265', '-f', 'null', '-'];
  const report = async (sandbox: Sandbox) => {
    const { lines } = await runConfined({
      sandbox,
      program: realpathSync(tools().ffmpegPath),
      argv: ['-hide_banner', '-i', 'in/0.mp4', ...encode],
      dir: await scratch(),
      mounts: [{ logical: 'in/0.mp4', hostPath: MOVIE }],
    });
    return lines.map(stripVTControlCharacters).filter((line) => /^x265 \[.*(?:pool|CPU mask)/.test(line));
  };
  const bare = await report(NO_SANDBOX);
  expect(bare.join()).toMatch(/wpp/);
  expect(await report(BUBBLEWRAP)).toEqual(bare);
});

/** A folder from which ffmpeg loads libraries. */
function libraries(): string {
  const library = /=> (\/\S+\/libavcodec\.so\S*)/.exec(
    execFileSync('ldd', [tools().ffmpegPath], { encoding: 'utf8' }),
  )?.[1];
  if (library === undefined) throw new Error('This ffmpeg loads no library.');
  return dirname(realpathSync(library));
}

needs('sandbox', 'linux')('a conversion whose input was replaced leaves no file of the service open', async () => {
  const dir = await scratch();
  await mkdir(join(dir, 'pass'));
  const mounts = [{ logical: 'in/0.mp4', hostPath: MOVIE, identities: ['1:1'] }];
  /** The open descriptors of this process that lead into the scratch folder. */
  const open = async (): Promise<readonly string[]> => {
    const paths = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
    return (await Promise.all(paths)).filter((path) => path.startsWith(dir) || path === MOVIE);
  };
  await expect(withPinnedFiles({ dir, mounts, sandbox: BUBBLEWRAP }, open)).rejects.toThrow('replaced');
  expect(await open()).toEqual([]);
  const failing = () => {
    throw new Error('bwrap cannot be started');
  };
  await expect(withPinnedFiles({ dir, mounts: [], sandbox: BUBBLEWRAP }, failing)).rejects.toThrow('bwrap');
  expect(await open()).toEqual([]);
});

describe('a harmful argv, which works outside the sandbox, has no effect inside', () => {
  const test = needs('ffmpeg', 'bubblewrap');
  const tryTo = async (argv: readonly string[], dir: string, sandbox = BUBBLEWRAP, more = {}): Promise<RunOutcome> =>
    runConversion(conversion(sandbox, dir, planOf('out/a', [argv]), more));

  const dataOf = (file: string) => ['-f', 'data', '-i', file, '-map', '0', '-c', 'copy', '-f', 'data', 'out/a'];

  test.for([
    ['a text of the host', '/etc/passwd'],
    ['the environment of the service', `/proc/${process.pid}/environ`],
  ] as const)('reading %s', async ([, file]) => {
    const bare = await scratch();
    expect(await tryTo(dataOf(file), bare, NO_SANDBOX)).toMatchObject({ ok: true });
    expect(await readdir(join(bare, 'out'))).toHaveLength(1);
    const dir = await scratch();
    expect(await tryTo(dataOf(file), dir)).toMatchObject({ ok: false });
    expect(await readdir(join(dir, 'out'))).toEqual([]);
  });

  test('writing anywhere but to its output', async () => {
    const dir = await scratch();
    const beside = join(dirname(dir), 'beside.mkv');
    const copy = (to: string) => ['-i', 'in/0.mp4', '-t', '1', '-c', 'copy', '-y', to];
    for (const to of [beside, '/etc/x.mkv', '/usr/x.mkv', 'in/0.mp4', 'in/new.mkv', 'x.mkv'])
      expect(await tryTo(copy(to), dir), to).toMatchObject({ ok: false });
    // /tmp in the sandbox is private and disappears with it.
    await tryTo(copy('/tmp/telecine-was-here.mkv'), dir);
    expect(existsSync('/tmp/telecine-was-here.mkv')).toBe(false);
    expect(existsSync(beside)).toBe(false);
    expect(await readdir(join(dir, 'in'))).toEqual([]);
    await tryTo(copy(beside), dir, NO_SANDBOX);
    expect(existsSync(beside)).toBe(true);
  });

  test('filling the memory with files outside the job’s folders', { tags: 'long' }, async () => {
    const dir = await scratch();
    // Four seconds of raw video are 59 MB.
    const raw = (to: string) => ['-i', 'in/0.mp4', '-t', '4', '-an', '-f', 'rawvideo', '-y', to];
    for (const to of ['/dev/zz', '/dev/pts/zz', '/dev/shm/zz', '/run/zz', '/zz'])
      expect(await tryTo(raw(to), dir), to).toMatchObject({ ok: false });
    const dump = ['-c:v', 'libx264', '-preset', 'ultrafast', '-x264-params', 'dump-yuv=/dev/zz', '-y', 'out/a.mp4'];
    expect(await tryTo(['-i', 'in/0.mp4', '-t', '1', ...dump], dir)).toMatchObject({ ok: false });
    // Small files are allowed: encoders may need some memory.
    expect(await tryTo(['-i', 'in/0.mp4', '-t', '1', '-f', 'rawvideo', '-y', '/dev/shm/zz'], dir)).toMatchObject({
      ok: true,
    });
  });

  test('reading data of other software below /usr', async () => {
    for (const file of ['/usr/bin/env', '/usr/lib/os-release']) {
      expect(await tryTo(dataOf(file), await scratch()), file).toMatchObject({ ok: false });
      expect(await tryTo(dataOf(file), await scratch(), NO_SANDBOX), file).toMatchObject({ ok: true });
    }
  });

  needs('ffmpeg', 'bubblewrap', 'root')(
    "reading the service's own folders, should they lie among libraries",
    { tags: 'long' },
    async () => {
      const home = await mkdtemp(join(libraries(), 'telecine-test-'));
      onTestFinished(() => rm(home, { recursive: true }));
      const [data, secret, program] = [join(home, 'data'), join(home, 'secret.mp4'), join(home, 'bin/ffmpeg')];
      for (const folder of [data, dirname(program)]) await mkdir(folder);
      for (const file of [join(data, 'movie.mp4'), secret]) await copyFile(MOVIE, file);
      await copyFile(tools().ffmpegPath, program);
      const read = async (file: string, hidden: readonly string[], ffmpegPath = tools().ffmpegPath) =>
        tryTo(dataOf(file), await scratch(), await findSandbox('required', ffmpegPath, hidden), { ffmpegPath });
      for (const file of [join(data, 'movie.mp4'), secret]) {
        expect(await read(file, [])).toMatchObject({ ok: true });
        expect(await read(file, [data, secret])).toMatchObject({ ok: false });
        // Hides the whole folder and one inside it, although the program itself is there.
        expect(await read(file, [data, home], program)).toMatchObject({ ok: false });
      }
      expect(await read('in/0.mp4', [data, home], program)).toMatchObject({ ok: true });
      expect(await read('in/0.mp4', [data, secret])).toMatchObject({ ok: true });
    },
  );

  test('reading a file put in place of an input', async () => {
    const dir = await scratch();
    const [mine, other] = [join(dirname(dir), 'mine.mp3'), join(dirname(dir), 'other.mp4')];
    await Promise.all([copyFile(SONG, mine), copyFile(MOVIE, other)]);
    const { dev, ino } = await stat(mine, { bigint: true });
    const mounts = [{ logical: 'in/0.mp4', hostPath: mine, identities: [`${dev}:${ino}`] }];
    const plan = planOf('out/a.mkv', [['-i', 'in/0.mp4', '-c', 'copy', '-y', 'out/a.mkv']]);
    const job = conversion(BUBBLEWRAP, dir, plan, { mounts });
    expect(await runConversion(job)).toMatchObject({ ok: true, outputs: [{ streams: [{ codec: 'mp3' }] }] });

    // Once the input is pinned, its path may be replaced.
    const pinned = await pinInputs(dir, mounts, BUBBLEWRAP);
    await rename(mine, `${mine}.away`);
    await symlink(other, mine);
    const { ended } = launch(
      confineCommand({
        ...job,
        program: job.ffmpegPath,
        argv: plan.passes[0] ?? [],
        writable: ['out'],
        mounts: pinned.mounts,
        limits: kernelLimits(job.policy, 10, 2),
        lastResortSeconds: 10,
      }),
      { out: new LineSplitter(() => undefined), err: new LineSplitter(() => undefined) },
    );
    expect(await ended.finally(pinned.close)).toMatchObject({ code: 0 });
    expect(probePackets(join(dir, 'out/a.mkv')).streams.map((stream) => stream.codec_name)).toEqual(['mp3']);

    const swapped = {
      ok: false,
      failure: { code: 'INPUT_INVALID', message: 'The input "any" was replaced or removed.' },
    };
    expect(await runConversion(job)).toMatchObject(swapped);
    expect(await runConversion({ ...job, dir: await scratch(), sandbox: NO_SANDBOX })).toMatchObject(swapped);
    await rm(mine);
    await copyFile(other, mine);
    expect(await runConversion(job)).toMatchObject(swapped);
  });
});

const AS_NOBODY = { uid: NOBODY, gid: NOBODY, env: { PATH: '/usr/bin:/bin' } };

/**
 * Runs the driver as the user "nobody" and returns the outcome of its conversion. `launcher`: a command that runs the
 * command after it.
 */
async function asNobody(
  job: Omit<DriverJob, 'ffmpegPath' | 'mounts'>,
  launcher: readonly string[] = [],
): Promise<RunOutcome> {
  const { dev, ino } = await stat(MOVIE, { bigint: true });
  const mounts = [{ logical: 'in/0.mp4', hostPath: MOVIE, identities: [`${dev}:${ino}`] }];
  const request = JSON.stringify({ ...job, ffmpegPath: tools().ffmpegPath, mounts });
  const [file = process.execPath, ...args] = [...launcher, process.execPath, DRIVER, request];
  const child = spawn(file, args, { ...AS_NOBODY, stdio: ['ignore', 'pipe', 'inherit'] });
  const [ready, outcome] = (await text(child.stdout)).trim().split('\n');
  expect(ready).toBe('ready');
  return JSON.parse(outcome ?? '') as RunOutcome;
}

describe('as an ordinary user', () => {
  const convertsWith = async (mode: 'off' | 'required'): Promise<void> => {
    const dir = await scratch(NOBODY);
    const plan = planOf('out/a.mp4', [['-i', 'in/0.mp4', '-t', '1', '-c', 'copy', 'out/a.mp4']]);
    expect(await asNobody({ mode, dir, plan })).toMatchObject({
      ok: true,
      outputs: [{ streams: [{ codec: 'h264' }, {}] }],
    });
    expect(await readdir(join(dir, 'out'))).toEqual(['a.mp4']);
  };

  needs('ffmpeg', 'another user')('a conversion works without the sandbox', { tags: 'long' }, () =>
    convertsWith('off'),
  );

  needs('ffmpeg', 'sandbox', 'another user')('a conversion works in the sandbox', () => convertsWith('required'));

  needs('ffmpeg', 'bubblewrap', 'another user')(
    'a job has no more threads than it may, whatever else the user runs',
    { tags: 'long' },
    async () => {
      const dir = await scratch(NOBODY);
      const plan = planOf('out/a.mp4', [
        ['-i', 'in/0.mp4', '-t', '1', '-c:v', 'libx264', '-threads', '64', '-y', 'out/a.mp4'],
      ]);
      expect(await asNobody({ mode: 'required', dir, plan, threads: 20 })).toMatchObject({ ok: false });
      expect(await asNobody({ mode: 'required', dir, plan })).toMatchObject({ ok: true });
    },
  );

  needs('ffmpeg', 'bubblewrap', 'another user')(
    'hard limits below those of a job are kept, and a conversion works',
    { tags: 'long' },
    async () => {
      const dir = await scratch(NOBODY);
      const plan = planOf('out/a.mp4', [['-i', 'in/0.mp4', '-t', '1', '-c:v', 'libx264', 'out/a.mp4']]);
      const hard = ['prlimit', '--nproc=300', '--nofile=500', '--fsize=100000000', '--cpu=900', '--'];
      expect(await asNobody({ mode: 'required', dir, plan }, hard)).toMatchObject({ ok: true });
    },
  );

  needs('ffmpeg', 'bubblewrap', 'another user')(
    'a user who may start no more processes is told so, not to allow user namespaces',
    { tags: 'long' },
    async () => {
      const script = [
        `import { execFileSync } from 'node:child_process';`,
        `import { findSandbox } from ${JSON.stringify(FIND_SANDBOX)};`,
        // Node's own threads must exist before.
        `await findSandbox('auto', process.argv[1]);`,
        `execFileSync('prlimit', ['--nproc=1', '--pid', String(process.pid)]);`,
        `console.log(JSON.stringify(await findSandbox('auto', process.argv[1])));`,
      ].join('\n');
      const argv = ['--input-type=module', '-e', script, tools().ffmpegPath];
      const child = spawn(process.execPath, argv, { ...AS_NOBODY, stdio: ['ignore', 'pipe', 'inherit'] });
      expect(JSON.parse(await text(child.stdout))).toMatchObject({
        kind: 'none',
        reason: expect.stringContaining('EAGAIN'),
        fix: expect.stringMatching(/more processes.*LimitNPROC/),
      });
    },
  );
});
