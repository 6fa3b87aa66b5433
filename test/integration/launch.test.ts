import { readFile } from 'node:fs/promises';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { launch } from '../../packages/ffmpeg/src/process/launch.ts';
import { confineCommand } from '../../packages/ffmpeg/src/sandbox/confine.ts';
import { prepareWorkFolder } from '../../packages/ffmpeg/src/sandbox/work-folder.ts';
import { scratch } from '../fixtures/conversion.ts';
import { SANDBOXES } from '../fixtures/sandboxes.ts';
import { tools } from '../support/tools.ts';

const IGNORED = { push: () => undefined, end: () => undefined };

test('the error of a program that cannot be started does not contain its arguments, which may be keys', async () => {
  const command = {
    file: '/nowhere/ffmpeg',
    args: ['-encryption_key', '76a6c65c'],
    cwd: '/',
    env: {},
    inNamespace: false,
    niceness: 0,
  };
  const { ended } = launch({ ...command, files: [] }, { out: IGNORED, err: IGNORED });
  const error = await ended.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'ENOENT' });
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('76a6c65c');
});

for (const { kind, sandbox, test } of SANDBOXES)
  test(`the kernel puts the service before what it starts, also where sessions are scheduled as groups (${kind})`, async ({
    skip,
  }) => {
    const own = await readFile('/proc/self/autogroup', 'utf8').catch(() => undefined);
    if (own === undefined) return skip('This kernel does not schedule sessions as groups.');
    const dir = await scratch();
    await prepareWorkFolder(dir, [], sandbox, ['pass']);
    const seen = Promise.withResolvers<void>();
    const limits = { addressSpaceBytes: 4e9, cpuSeconds: 30, fileSizeBytes: 1e7, openFiles: 256, threads: 200 };
    const program = tools().ffmpegPath;
    // It writes its progress until it is killed.
    const argv = ['-re', '-f', 'lavfi', '-i', 'sine', '-f', 'null', '-', '-progress', '-', '-v', 'error'];
    const command = confineCommand({
      sandbox: { ...sandbox, niceness: 12 },
      program,
      argv,
      dir,
      mounts: [],
      limits,
      lastResortSeconds: 30,
    });
    const launched = launch(command, { out: { ...IGNORED, push: () => seen.resolve() }, err: IGNORED });
    await seen.promise;
    const pids = await launched.processes();
    const groups = () => Promise.all(pids.map((pid) => readFile(`/proc/${pid}/autogroup`, 'utf8')));
    try {
      expect(pids.length).toBeGreaterThan(0);
      // Without root, the kernel allows one change in 100 ms.
      await expect.poll(groups, { timeout: 20_000 }).toEqual(pids.map(() => expect.stringMatching(/ nice 12$/m)));
    } finally {
      await launched.kill();
      await launched.ended;
    }
  });

for (const { kind, sandbox, test } of SANDBOXES.filter((one) => one.kind === 'bubblewrap'))
  test(`a program that is killed while it waits for its turn never starts (${kind})`, async () => {
    const dir = await scratch();
    await prepareWorkFolder(dir, [], sandbox, ['pass']);
    const limits = { addressSpaceBytes: 4e9, cpuSeconds: 30, fileSizeBytes: 1e7, openFiles: 256, threads: 200 };
    const program = tools().ffmpegPath;
    const command = confineCommand({
      ...{ sandbox, program, argv: ['-version'], dir, mounts: [], limits },
      lastResortSeconds: 30,
    });
    const ready = Promise.withResolvers<void>();
    const output: string[] = [];
    const out = { ...IGNORED, push: (text: string) => void output.push(text) };
    const waitForTurn = async (ended: Promise<unknown>): Promise<void> => {
      ready.resolve();
      await ended;
    };
    const launched = launch(command, { out, err: IGNORED }, undefined, waitForTurn);
    await ready.promise;
    await launched.kill();
    expect(await launched.ended).toMatchObject({ code: 137 });
    expect(output).toEqual([]);
  });
