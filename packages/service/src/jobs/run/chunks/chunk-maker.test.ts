import { expect, test } from 'vitest';
import { wholePlan } from '../../../../../../test/support/planning.ts';
import { chunkMaker } from './chunk-maker.ts';

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
