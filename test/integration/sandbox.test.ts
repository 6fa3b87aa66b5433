import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished } from 'vitest';
import { command } from '../../scripts/setup/command.ts';
import { findSandbox } from '../../src/ffmpeg/find-sandbox.ts';
import { convert, type Outcome } from '../../src/ffmpeg/run.ts';
import type { Sandbox } from '../../src/ffmpeg/sandbox.ts';
import { conversion, MOVIE, planOf, scratch } from '../fixtures/conversion.ts';
import type { DriverJob } from '../fixtures/driver-job.ts';
import { BUBBLEWRAP, NO_SANDBOX } from '../fixtures/sandboxes.ts';
import { needs } from '../support/needs.ts';
import { tools } from '../support/tools.ts';

const DRIVER = join(import.meta.dirname, '../fixtures/convert-driver.ts');
const NOBODY = 65534;

needs('ffmpeg')('switched off, it says so and how to switch it on', async () => {
  expect(await findSandbox('off', tools().ffmpegPath)).toMatchObject({
    kind: 'none',
    fix: expect.stringContaining('TELECINE_SANDBOX'),
  });
});

needs('sandbox')('required and impossible, the start fails with what to do', async () => {
  // A program that is no ffmpeg and ends with an error is what a sandbox that does not work looks like from here.
  await expect(findSandbox('required', '/usr/bin/false')).rejects.toThrow(/required.*unshare/s);
  expect(await findSandbox('auto', '/usr/bin/false')).toMatchObject({ kind: 'none', reason: expect.any(String) });
});

needs('ffmpeg', 'sandbox')('an ffmpeg that lies below /tmp is found inside', async () => {
  const folder = await mkdtemp('/tmp/telecine-ffmpeg-');
  onTestFinished(() => rm(folder, { recursive: true }));
  const program = join(folder, 'ffmpeg');
  await copyFile(tools().ffmpegPath, program);
  expect(await findSandbox('required', program)).toMatchObject({ kind: 'bubblewrap', program });
});

describe('an argv that means harm, and would do it outside of the sandbox, reaches nothing', () => {
  const test = needs('ffmpeg', 'sandbox');
  const tryTo = async (argv: readonly string[], dir: string, sandbox = BUBBLEWRAP): Promise<Outcome> =>
    convert(conversion(sandbox, dir, planOf('out/a', [argv])));

  /** A movie that is not the job's: beside its scratch. */
  async function otherMovie(dir: string): Promise<string> {
    const other = join(dirname(dir), 'other.mp4');
    await copyFile(MOVIE, other);
    return other;
  }
  const dataOf = (file: string) => ['-f', 'data', '-i', file, '-map', '0', '-c', 'copy', '-f', 'data', 'out/a'];

  test.for<readonly [string, (other: string) => readonly string[]]>([
    [
      'a movie of the host by a filter',
      (other) => ['-f', 'lavfi', '-i', `movie=${other}`, '-frames:v', '3', 'out/a.mkv'],
    ],
    ['a text of the host as an input', () => dataOf('/etc/passwd')],
    ['media of the host that is not its own', (other) => ['-i', other, '-c', 'copy', 'out/a.mkv']],
    ['the environment of the service', () => dataOf(`/proc/${process.pid}/environ`)],
  ])('reading %s', async ([, argv]) => {
    const bare = await scratch();
    expect(await tryTo(argv(await otherMovie(bare)), bare, NO_SANDBOX)).toMatchObject({ ok: true });
    expect(await readdir(join(bare, 'out'))).toHaveLength(1);
    const dir = await scratch();
    expect(await tryTo(argv(await otherMovie(dir)), dir)).toMatchObject({ ok: false });
    expect(await readdir(join(dir, 'out'))).toEqual([]);
  });

  test('writing anywhere but to its own output', async () => {
    const dir = await scratch();
    const beside = join(dirname(dir), 'beside.mkv');
    const copy = (to: string) => ['-i', 'in/0.mp4', '-t', '1', '-c', 'copy', '-y', to];
    for (const to of [beside, '/etc/x.mkv', '/usr/x.mkv', 'in/0.mp4', 'in/new.mkv', 'x.mkv'])
      expect(await tryTo(copy(to), dir), to).toMatchObject({ ok: false });
    // /tmp inside is the sandbox's own and goes with it.
    await tryTo(copy('/tmp/telecine-was-here.mkv'), dir);
    expect(existsSync('/tmp/telecine-was-here.mkv')).toBe(false);
    expect(existsSync(beside)).toBe(false);
    expect(await readdir(join(dir, 'in'))).toEqual([]);
    await tryTo(copy(beside), dir, NO_SANDBOX);
    expect(existsSync(beside)).toBe(true);
  });

  test('reaching a port of the machine', async () => {
    let reached = 0;
    const server = createServer((socket) => {
      reached++;
      socket.resume();
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const argv = ['-i', 'in/0.mp4', '-t', '1', '-c', 'copy', '-f', 'mpegts', `tcp://127.0.0.1:${port}`];
    expect(await tryTo(argv, await scratch())).toMatchObject({ ok: false });
    expect(reached).toBe(0);
    await tryTo(argv, await scratch(), NO_SANDBOX);
    expect(reached).toBe(1);
  });

  test('a playlist that calls itself mp4 brings no file of the host', async () => {
    const play = async (sandbox: Sandbox): Promise<Outcome> => {
      const dir = await scratch();
      const secret = join(dirname(dir), 'secret.ts');
      await command(tools().ffmpegPath, ['-nostdin', '-i', MOVIE, '-t', '2', '-c', 'copy', secret]);
      const playlist = join(dirname(dir), 'playlist.mp4');
      await writeFile(playlist, `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n${secret}\n#EXT-X-ENDLIST\n`);
      const plan = planOf('out/a.mkv', [['-i', 'in/0.mp4', '-t', '1', '-c', 'copy', 'out/a.mkv']]);
      const mounts = [{ logical: 'in/0.mp4', hostPath: playlist }];
      return convert(conversion(sandbox, dir, plan, { mounts }));
    };
    expect(await play(NO_SANDBOX)).toMatchObject({ ok: true });
    expect(await play(BUBBLEWRAP)).toMatchObject({ ok: false });
  });
});

/** Runs the driver as nobody and resolves to the outcome of its conversion. */
async function asNobody(job: Omit<DriverJob, 'ffmpegPath' | 'mounts'>): Promise<Outcome> {
  const mounts = [{ logical: 'in/0.mp4', hostPath: MOVIE }];
  const child = spawn(process.execPath, [DRIVER, JSON.stringify({ ...job, ffmpegPath: tools().ffmpegPath, mounts })], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...{ uid: NOBODY, gid: NOBODY, env: {} },
  });
  const [ready, outcome] = (await text(child.stdout)).trim().split('\n');
  expect(ready).toBe('ready');
  return JSON.parse(outcome ?? '') as Outcome;
}

describe('as an ordinary user', () => {
  const convertsWith = async (mode: 'off' | 'required'): Promise<void> => {
    const dir = await scratch(NOBODY);
    const plan = planOf('out/a.mp4', [['-i', 'in/0.mp4', '-t', '1', '-c', 'copy', 'out/a.mp4']]);
    expect(await asNobody({ mode, dir, plan })).toMatchObject({ ok: true, main: { streams: [{ codec: 'h264' }, {}] } });
    expect(await readdir(join(dir, 'out'))).toEqual(['a.mp4']);
  };

  needs('ffmpeg', 'another user')('a conversion works without the sandbox', () => convertsWith('off'));

  needs('ffmpeg', 'sandbox', 'another user')('a conversion works in the sandbox', () => convertsWith('required'));

  needs(
    'ffmpeg',
    'sandbox',
    'another user',
  )('a job has no more threads than it may, whatever else the user runs', async () => {
    const dir = await scratch(NOBODY);
    const plan = planOf('out/a.mp4', [
      ['-i', 'in/0.mp4', '-t', '1', '-c:v', 'libx264', '-threads', '64', '-y', 'out/a.mp4'],
    ]);
    expect(await asNobody({ mode: 'required', dir, plan, threads: 20 })).toMatchObject({ ok: false });
    expect(await asNobody({ mode: 'required', dir, plan })).toMatchObject({ ok: true });
  });
});
