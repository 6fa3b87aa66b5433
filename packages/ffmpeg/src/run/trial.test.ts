import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../../../../test/support/folders.ts';
import { wholePlan } from '../../../../test/support/planning.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { tryConversion } from './trial.ts';

const NO_SANDBOX: Sandbox = {
  kind: 'none',
  reason: 'off',
  fix: 'none',
  tools: {},
  hardLimits: {},
  niceness: 0,
};

/** A program in the place of ffmpeg, which fails as it does for a wrong filter, and what the trial needs besides. */
async function machine(complaint = '[error] Error initializing a simple filtergraph') {
  const folder = await testFolder('trial');
  const [workRoot, input, ffmpegPath] = [join(folder, 'work'), join(folder, 'a.mp4'), join(folder, 'ffmpeg')];
  await mkdir(workRoot);
  await writeFile(input, 'film');
  await writeFile(ffmpegPath, `#!/bin/sh\necho "${complaint}" >&2\nexit 1\n`, {
    mode: 0o755,
  });
  const { dev, ino } = await stat(input, { bigint: true });
  const identity = (number: bigint) => `${dev}:${number}`;
  const trial = (fileId: string, watch: AbortSignal = new AbortController().signal) =>
    tryConversion({
      ...{ plan: wholePlan({ input: 'a.mp4', output: 'b.mp4', parameters: { vf: 'hflip' } }), workRoot, ffmpegPath },
      ...{ sandbox: NO_SANDBOX, policy: {}, signal: new AbortController().signal },
      mounts: [{ logical: 'in/0.mp4', hostPath: input, identities: [fileId] }],
      watch: () => ({ signal: watch, countDeletedFiles: () => undefined, end: () => undefined }),
    });
  return { trial, own: identity(ino), other: identity(ino + 1n), left: () => readdir(workRoot) };
}

test('a command that fails as it is counts, and leaves no files', async () => {
  const { trial, own, left } = await machine();
  expect(await trial(own)).toMatchObject({ code: 'FFMPEG_FAILED' });
  expect(await left()).toEqual([]);
});

test('an input that was replaced meanwhile says nothing about the request', async () => {
  const { trial, other } = await machine();
  expect(await trial(other)).toBeUndefined();
});

test('a failure that only the operator can change says nothing about the request', async () => {
  const { trial, own } = await machine('bwrap: No permissions to create a new namespace');
  expect(await trial(own)).toBeUndefined();
});

test('a trial that wrote too much says nothing', async () => {
  const { trial, own } = await machine();
  expect(await trial(own, AbortSignal.abort())).toBeUndefined();
});
