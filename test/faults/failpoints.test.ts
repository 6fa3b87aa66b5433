import { readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { expect } from 'vitest';
import { requestedOutputs } from '../../packages/contract/src/domain/conversion.ts';
import { needs } from '../support/needs.ts';
import { decodesWithoutErrors } from '../support/probe.ts';
import { createFaultHarness, type FaultHarness, LONG, VOICE } from './fault-harness.ts';

const H264 = { 'c:v': 'libx264', preset: 'ultrafast', s: '214x120', g: '6' };

const CASES = {
  'two files of one decoding': {
    request: {
      input: VOICE,
      outputs: [{ output: 'new/a.m4a', parameters: { 'c:a': 'aac' } }, { output: 'new/b.wav' }],
    },
    files: ['a.m4a', 'b.wav'],
    replaces: false,
  },
  'a file that replaces another': {
    request: { input: VOICE, output: 'old/a.m4a', parameters: { 'c:a': 'aac', y: '' } },
    files: ['a.m4a'],
    replaces: true,
  },
  'a manifest and its segments': {
    request: {
      input: LONG,
      output: 'hls/a.m3u8',
      parameters: { ...H264, g: '1', hls_time: '0.02', hls_list_size: '0', t: '1', an: '' },
    },
    // A segment for each frame: so many that their list is not in the row of the job.
    files: ['a.m3u8', ...Array.from({ length: 24 }, (_, n) => `a${n}.ts`)].toSorted(),
    replaces: false,
  },
} as const;

/** A failpoint, the attempt of the job at which it acts, and the expected state of its files after the kill. */
interface KillPoint {
  readonly point: string;
  readonly attempt: number;
  readonly converted: boolean;
  readonly published: 'nothing' | 'one file' | 'all';
}

/** The failpoints of one job in order, each after a restart. All later attempts publish what the second one converted. */
const POINTS: readonly KillPoint[] = [
  { point: 'after-claim', attempt: 1, converted: false, published: 'nothing' },
  { point: 'after-intent', attempt: 2, converted: true, published: 'nothing' },
  { point: 'after-link', attempt: 3, converted: true, published: 'one file' },
  // The third attempt is the last one. Outputs that are finished are still published.
  { point: 'after-commit', attempt: 3, converted: true, published: 'all' },
];

const test = needs('ffmpeg', 'linux');

for (const [name, one] of Object.entries(CASES))
  test(`completes a job once and leaves nothing when the service is killed at each failpoint in turn: ${name}`, {
    tags: name === 'a manifest and its segments' ? [] : ['long'],
  }, async () => {
    const harness = await createFaultHarness();
    await harness.put('old/a.m4a', 'old');
    const [output = ''] = requestedOutputs(one.request).map(({ path }) => path);
    const old = await harness.inode(output);
    const front = await harness.start({}, { args: ['--no-worker'] });
    const jobId = await front.api.accept(one.request);
    await front.server.stop();
    const job: Job = { ...one, output, folder: dirname(output), jobId, old };
    let converted: Inodes = {};
    for (const at of POINTS) {
      await harness.crash(at.point);
      const scratch = await expectAt(harness, job, at);
      // The files of the second attempt, by inode: nothing was converted again.
      if (at.attempt === 3) expect(scratch, at.point).toEqual(converted);
      converted = scratch;
    }
    const row = harness.row(jobId);

    const { api } = await harness.start();
    const ended = await api.wait(jobId);
    expect(ended).toMatchObject({ status: 'COMPLETED', attempt: 3 });
    expect(ended.outputs?.map(({ path }) => path).sort()).toEqual(job.files.map((file) => `${job.folder}/${file}`));
    await harness.expectNoLeftovers();
    expect(await inodes(harness, job.folder)).toEqual(converted);
    expect(await decodesWithoutErrors(join(harness.mediaRoot, output))).toBe(true);
    expect(harness.row(jobId)).toEqual(row);
  });

interface Job {
  /** Its main output. */
  readonly output: string;
  readonly files: readonly string[];
  readonly replaces: boolean;
  readonly jobId: string;
  /** The folder of its output. */
  readonly folder: string;
  /** The inode of the earlier file at the output path. */
  readonly old: bigint | undefined;
}

/** Checks the files and the row of a job after a crash. Returns the files that its second attempt converted. */
async function expectAt(
  harness: FaultHarness,
  job: Job,
  { point, attempt, converted, published }: KillPoint,
): Promise<Inodes> {
  const { jobId, folder, files, replaces, old } = job;
  const outputs = await inodes(harness, `.telecine/jobs/${jobId}.2/out`);
  expect(Object.keys(outputs), point).toEqual(converted ? files : []);
  const present = await inodes(harness, folder);
  const outputNames = Object.keys(present).filter((name) => Object.values(outputs).includes(present[name]));
  expect(outputNames, point).toHaveLength({ nothing: 0, 'one file': 1, all: files.length }[published]);
  // To replace a file, publishing first links the new one under a hidden name. The old file stays until the rename.
  if (replaces && published !== 'all') expect(present['a.m4a'], point).toBe(old);
  expect(harness.row(jobId), point).toMatchObject(
    published === 'all'
      ? { status: 'COMPLETED', attempt, completed_at: expect.any(String) }
      : { status: 'PROCESSING', attempt, completed_at: null },
  );
  return outputs;
}

type Inodes = Readonly<Record<string, bigint | undefined>>;

/** The inodes of the files in a folder of the media root and below it, by name. */
async function inodes(harness: FaultHarness, folder: string): Promise<Inodes> {
  const path = join(harness.mediaRoot, folder);
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => []);
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => ({ name, path: relative(harness.mediaRoot, join(parentPath, name)) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return Object.fromEntries(
    await Promise.all(files.map(async ({ name, path: file }) => [name, await harness.inode(file)])),
  );
}
