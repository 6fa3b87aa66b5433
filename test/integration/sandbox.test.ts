import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findSandbox } from '../../src/ffmpeg/find-sandbox.ts';
import { convert, type Outcome } from '../../src/ffmpeg/run.ts';
import type { Sandbox } from '../../src/ffmpeg/sandbox.ts';
import { conversion, FFMPEG, MOVIE, planOf, scratch } from '../fixtures/conversion.ts';
import type { DriverJob } from '../fixtures/driver-job.ts';
import { BUBBLEWRAP } from '../fixtures/sandboxes.ts';

const DRIVER = join(import.meta.dirname, '../fixtures/convert-driver.ts');
const NOBODY = 65534;

test('switched off, it says so and how to switch it on', async () => {
  expect(await findSandbox('off', FFMPEG)).toMatchObject({
    kind: 'none',
    fix: expect.stringContaining('TELECINE_SANDBOX'),
  });
});

test('required and impossible, the start fails with what to do', async () => {
  // A program that is no ffmpeg and ends with an error is what a sandbox that does not work looks like from here.
  await expect(findSandbox('required', '/usr/bin/false')).rejects.toThrow(/required.*unshare/s);
  expect(await findSandbox('auto', '/usr/bin/false')).toMatchObject({ kind: 'none', reason: expect.any(String) });
});

test.skipIf(BUBBLEWRAP === undefined)('an ffmpeg that lies below /tmp is found inside', async () => {
  const program = join(await scratch(), 'ffmpeg');
  await copyFile(FFMPEG, program);
  expect(program).toMatch(/^\/tmp\//);
  expect(await findSandbox('required', program)).toMatchObject({ kind: 'bubblewrap', program });
});

describe.skipIf(BUBBLEWRAP === undefined)('an argv that means harm reaches nothing', () => {
  const sandbox = BUBBLEWRAP as Sandbox;
  const tryTo = async (argv: readonly string[], dir: string): Promise<Outcome> =>
    convert(conversion(sandbox, dir, planOf('out/a', [argv])));

  test.each([
    ['a file of the host by a filter', ['-f', 'lavfi', '-i', 'movie=/etc/passwd:f=rawvideo', 'out/a.mkv']],
    [
      'a file of the host as an input',
      ['-f', 'data', '-i', '/etc/passwd', '-map', '0', '-c', 'copy', '-f', 'data', 'out/a'],
    ],
    ['media of the host that is not its own', ['-i', MOVIE, '-c', 'copy', 'out/a.mkv']],
    ['the environment of the service', ['-f', 'data', '-i', '/proc/self/environ', '-map', '0', '-f', 'data', 'out/a']],
  ])('reading %s', async (_what, argv) => {
    const dir = await scratch();
    expect(await tryTo(argv, dir)).toMatchObject({ ok: false });
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
  });

  test('reaching a port of the machine', async () => {
    let reached = 0;
    const server = createServer(() => reached++);
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const argv = ['-i', 'in/0.mp4', '-t', '1', '-c', 'copy', '-f', 'mpegts', `tcp://127.0.0.1:${port}`];
    expect(await tryTo(argv, await scratch())).toMatchObject({ ok: false });
    expect(reached).toBe(0);
  });

  test('a playlist that calls itself mp4 brings no file of the host', async () => {
    const dir = await scratch();
    const secret = join(dirname(dir), 'secret.ts');
    await writeFile(secret, await readFile(MOVIE));
    const playlist = join(dirname(dir), 'playlist.mp4');
    await writeFile(playlist, `#EXTM3U\n#EXTINF:1,\n${secret}\n#EXT-X-ENDLIST\n`);
    const plan = planOf('out/a.mkv', [['-i', 'in/0.mp4', '-c', 'copy', 'out/a.mkv']]);
    const mounts = [{ logical: 'in/0.mp4', hostPath: playlist }];
    expect(await convert(conversion(sandbox, dir, plan, { mounts }))).toMatchObject({ ok: false });
  });
});

/** Runs the driver as nobody and resolves to the outcome of its conversion. */
async function asNobody(job: Omit<DriverJob, 'ffmpegPath' | 'mounts'>): Promise<Outcome> {
  const mounts = [{ logical: 'in/0.mp4', hostPath: MOVIE }];
  const child = spawn(process.execPath, [DRIVER, JSON.stringify({ ...job, ffmpegPath: FFMPEG, mounts })], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...{ uid: NOBODY, gid: NOBODY, env: {} },
  });
  const [ready, outcome] = (await text(child.stdout)).trim().split('\n');
  expect(ready).toBe('ready');
  return JSON.parse(outcome ?? '') as Outcome;
}

describe.skipIf(process.getuid?.() !== 0)('as an ordinary user', () => {
  const modes = BUBBLEWRAP === undefined ? (['off'] as const) : (['off', 'required'] as const);

  test.each(modes)('a conversion works with the sandbox %s', async (mode) => {
    const dir = await scratch(NOBODY);
    const plan = planOf('out/a.mp4', [['-i', 'in/0.mp4', '-t', '1', '-c', 'copy', 'out/a.mp4']]);
    expect(await asNobody({ mode, dir, plan })).toMatchObject({ ok: true, main: { streams: [{ codec: 'h264' }, {}] } });
    expect(await readdir(join(dir, 'out'))).toEqual(['a.mp4']);
  });

  test.skipIf(BUBBLEWRAP === undefined)(
    'a job has no more threads than it may, whatever else the user runs',
    async () => {
      const dir = await scratch(NOBODY);
      const plan = planOf('out/a.mp4', [
        ['-i', 'in/0.mp4', '-t', '1', '-c:v', 'libx264', '-threads', '64', '-y', 'out/a.mp4'],
      ]);
      expect(await asNobody({ mode: 'required', dir, plan, threads: 20 })).toMatchObject({ ok: false });
      expect(await asNobody({ mode: 'required', dir, plan })).toMatchObject({ ok: true });
    },
  );
});
