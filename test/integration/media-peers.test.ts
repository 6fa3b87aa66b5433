import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LocalMedia } from '../../src/media/local/store.ts';
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

test('a sweep removes the empty folder of another service, which makes it again for its next job', async () => {
  expect(await scratchNames('')).toEqual(['jobs', 'jobs-x-a', 'jobs-x-b']);
  await second.sweep(async () => []);
  expect(await scratchNames('')).toEqual(['jobs', 'jobs-x-b']);
  // Without its folder, the first service still does what needs none.
  await first.sweep(async () => []);
  expect(await scratchNames('')).toEqual(['jobs']);
  await first.discard({ name: 'earlier.1' });
  expect(await first.freeBytes()).toBeGreaterThan(0);
  await first.openScratch('young', 1);
  await second.openScratch('other', 1);
  expect(await scratchNames('jobs-x-a')).toEqual(['young.1']);
  expect(await scratchNames('jobs-x-b')).toEqual(['other.1']);
  await second.sweep(async () => ['young.1']);
  expect(await scratchNames('jobs-x-a')).toEqual(['young.1']);
  expect(t.warnings).toEqual([]);
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
  await first.stage(t.root, scratch, [input('in.mov')], output('o.mp4'));
  await writeOutputs(first, scratch, { 'o.mp4': 'new' });
  const intent = await first.prepare(t.root, scratch, output('o.mp4'), {}, []);
  expect(await second.publish(intent)).toBe(true);
  await second.discard({ name: intent.scratch });
  expect(await t.get('o.mp4')).toBe('new');
  expect(await scratchNames('jobs-x-a')).toEqual([]);
});
