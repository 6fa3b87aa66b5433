import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../../../../../../test/support/folders.ts';
import { wholePlan } from '../../../../../../test/support/planning.ts';
import { chunkMaker, type StagedPlan } from './chunk-maker.ts';

const tools = { build: { key: 'build' } };
const maker = chunkMaker({ tools, files: {}, runOf: () => ({}) } as unknown as Parameters<typeof chunkMaker>[0]);

test('the chunks of a job are used again only with the same options, target of quality and bit rate of the frame size', () => {
  const keyOf = (change: object) => {
    const request = {
      input: 'a.mov',
      output: 'b.mp4',
      parameters: { 'c:v': 'libx264' },
      chunks: { seconds: 2 },
      ...change,
    };
    const plan = wholePlan(request, { chunks: true });
    expect(plan.chunks, JSON.stringify(plan.chunks)).toHaveProperty('argv');
    return maker.planKeyOf(plan);
  };
  const sized = (rate: string) => ({ frameSize: 'auto', parameters: { 'c:v': 'libx264', 'b:v': rate } });
  const changes = [
    {},
    { parameters: { 'c:v': 'libx264', preset: 'slow' } },
    { quality: { target: 0.98 } },
    { quality: { target: 0.9 } },
  ];
  const all = [...changes, sized('500k'), sized('900k')];
  expect(new Set(all.map(keyOf)).size).toBe(all.length);
  for (const change of all) expect(keyOf({ ...change, metadata: { order: '7' } })).toBe(keyOf(change));
});

test('what a join has written and read makes room for the whole conversion, in the folder that the service has open', async () => {
  const dir = await testFolder('joined');
  for (const name of ['out/deep', 'pass']) await mkdir(join(dir, name), { recursive: true });
  for (const name of ['out/a.mkv', 'out/deep/1.ts', 'pass/list.txt', 'pass/chunk-0.mp4'])
    await writeFile(join(dir, name), 'x');
  const { ino } = await stat(join(dir, 'out'));
  const plan = { texts: [{ logical: 'pass/list.txt', text: 'x' }] };
  const joining = { tools, files: {}, runOf: () => ({ dir, plan }) } as unknown as Parameters<typeof chunkMaker>[0];
  await chunkMaker(joining).removeJoined({} as StagedPlan);
  expect(await readdir(dir, { recursive: true })).toEqual(['out']);
  expect((await stat(join(dir, 'out'))).ino).toBe(ino);
});
