import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { outputOf } from '../../packages/contract/src/domain/plan.ts';
import {
  type MeasuredPassOutput,
  type MeasuringRun,
  measureOutput,
} from '../../packages/ffmpeg/src/run/measured-output.ts';
import type { Sandbox } from '../../packages/ffmpeg/src/sandbox/sandbox.ts';
import { wholePlan } from '../support/planning.ts';

const NO_SANDBOX: Sandbox = {
  kind: 'none',
  reason: 'No process starts here.',
  fix: '',
  tools: {},
  hardLimits: {},
  niceness: 0,
};

/** The sound of a request that also writes a film, as ffmpeg reports it. */
const SOUND: MeasuredPassOutput = {
  index: 1,
  isOneOfSeveral: true,
  isDoubtful: true,
  isForged: false,
  encodedHdr: undefined,
  hasEmptyStream: false,
  hasMedia: true,
  hasOnlySubtitles: false,
  report: {},
  reportOf: () => ({}),
  mediaSeconds: undefined,
  runSeconds: 1,
};

/** Measures a sound of so many bytes. */
async function measured(bytes: number, more: Partial<MeasuringRun>): Promise<boolean | undefined> {
  const dir = await mkdtemp(join(tmpdir(), 'measured-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const plan = wholePlan({ input: 'a.mp4', outputs: [{ output: 'b.mp4' }, { output: 'ping.mp3' }] });
  const file = join(dir, outputOf(plan, SOUND.index).logical);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, Buffer.alloc(bytes));
  const run = { plan, mounts: [], dir, sandbox: NO_SANDBOX, signal: new AbortController().signal, ...more };
  return (await measureOutput(run, SOUND)).isEmpty;
}

test.each<[string, Partial<MeasuringRun>]>([
  ['without ffprobe', {}],
  ['if the probe ends early', { ffprobePath: '/nonexistent/ffprobe', signal: AbortSignal.abort() }],
])('a short sound beside a film counts as written %s', async (_when, more) => {
  expect(await measured(8000, more)).toBe(false);
});

test('a file without a byte counts as empty also without ffprobe', async () => {
  expect(await measured(0, {})).toBe(true);
});
