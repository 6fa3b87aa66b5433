import { mkdir, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LocalMedia } from '../../packages/service/src/media/local/store.ts';
import { type LocalUnderTest, openLocal } from '../fixtures/local-media.ts';
import { input, output, writeOutputs } from '../fixtures/media-plans.ts';

let t: LocalUnderTest;
/** Two services on one database and one media root. */
let first: LocalMedia;
let second: LocalMedia;

const peer = (key: string, cluster = 'x') => ({
  own: `jobs-${cluster}-${key}`,
  isPeer: (name: string) => name.startsWith(`jobs-${cluster}-`),
});

beforeEach(async () => {
  t = await openLocal();
  first = await t.restart({ scratchParents: peer('a') });
  second = await t.restart({ scratchParents: peer('b') });
});
afterEach(() => t.close());

const scratchNames = async (parent: string): Promise<readonly string[]> =>
  (await readdir(join(t.mediaRoot, '.telecine', parent))).sort();

test('a service removes what a dead one left, but neither what is live nor what another database owns', async () => {
  const foreign = await t.restart({ scratchParents: peer('a', 'y') });
  await foreign.openScratch('foreign', 1);
  await first.openScratch('dead', 1);
  await first.openScratch('running', 1);
  await second.openScratch('own', 1);
  await second.sweep(async () => ['running.1']);
  expect(await scratchNames('jobs-x-a')).toEqual(['running.1']);
  expect(await scratchNames('jobs-x-b')).toEqual(['own.1']);
  expect(await scratchNames('jobs-y-a')).toEqual(['foreign.1']);
});

test('a sweep spares the folder of a job that another service claims meanwhile', async () => {
  await mkdir(join(t.mediaRoot, '.telecine/jobs-x-a'), { recursive: true });
  await second.sweep(async () => {
    // Claimed and created after the folders were listed, and before the answer of the database.
    await first.openScratch('young', 1);
    return [];
  });
  expect(await scratchNames('jobs-x-a')).toEqual(['young.1']);
});

/** Makes a folder look as if no service had used it for three days. */
const age = async (parent: string): Promise<void> => {
  const then = new Date(Date.now() - 3 * 86_400_000);
  await utimes(join(t.mediaRoot, '.telecine', parent), then, then);
};

test('a sweep removes the empty folder of a service that has ended, but not of one that runs', async () => {
  await second.sweep(async () => []);
  expect(await scratchNames('')).toEqual(['jobs', 'jobs-x-a', 'jobs-x-b']);
  await age('jobs-x-a');
  await first.sweep(async () => []);
  await second.sweep(async () => []);
  expect(await scratchNames(''), 'after a sweep of the service itself').toEqual(['jobs', 'jobs-x-a', 'jobs-x-b']);
  await age('jobs-x-a');
  await age('jobs');
  await second.sweep(async () => []);
  expect(await scratchNames('')).toEqual(['jobs', 'jobs-x-b']);
  expect(t.warnings).toEqual([]);
});

test('a sweep keeps the folder of an ended service with a scratch folder that is live', async () => {
  await first.openScratch('running', 1);
  await age('jobs-x-a');
  await second.sweep(async () => ['running.1']);
  expect(await scratchNames('jobs-x-a')).toEqual(['running.1']);
  expect(t.warnings).toEqual([]);
});

test('a service whose folder another one has removed makes it again for its next job', async () => {
  await age('jobs-x-a');
  await second.sweep(async () => []);
  expect(await scratchNames('')).toEqual(['jobs', 'jobs-x-b']);
  await first.discard({ name: 'earlier.1' });
  await first.openScratch('young', 1);
  expect(await scratchNames('jobs-x-a')).toEqual(['young.1']);
  await second.sweep(async () => ['young.1']);
  expect(await scratchNames('jobs-x-a')).toEqual(['young.1']);
});

test('a sweep ends processes only where the service itself has worked before', async () => {
  await first.openScratch('dead', 1);
  const before = t.ended.length;
  await second.sweep(async () => []);
  expect(t.ended.slice(before)).toEqual([join(t.mediaRoot, '.telecine/jobs-x-b')]);
});

test('a service finishes publishing what a dead one has converted', async () => {
  await t.put('in.mov', 'source');
  const scratch = await first.openScratch('job', 1);
  await first.stage(t.root, scratch, [input('in.mov')], [output('o.mp4')]);
  await writeOutputs(first, scratch, { 'o.mp4': 'new' });
  const intent = await first.prepare(t.root, scratch, [{ files: output('o.mp4'), report: {} }], []);
  expect(await second.publish(intent)).toBe(true);
  await second.discard({ name: intent.scratch });
  expect(await t.get('o.mp4')).toBe('new');
  expect(await scratchNames('jobs-x-a')).toEqual([]);
});

test('a sweep spares the scratch folders that the service uses, and removes one that it has released', async () => {
  const scratch = await first.openScratch('job', 1);
  await first.sweep(async () => []);
  expect(await scratchNames('jobs-x-a')).toEqual(['job.1']);
  await first.release(scratch);
  await first.release(scratch);
  await first.sweep(async () => []);
  expect(await scratchNames('jobs-x-a')).toEqual([]);
});

test('a service removes the scratch folders of earlier attempts of its job, but not what an intent needs', async () => {
  await first.release(await first.openScratch('job', 1));
  await first.release(await first.openScratch('job', 2));
  await first.release(await first.openScratch('other', 1));
  await second.release(await second.openScratch('job', 3));
  await second.openScratch('job', 4);
  await second.discardEarlier('job', 5, 'job.2');
  expect(await scratchNames('jobs-x-a')).toEqual(['job.2', 'other.1']);
  expect(await scratchNames('jobs-x-b'), 'in use').toEqual(['job.4']);
});
