import { expect, test } from 'vitest';
import { wholePlan } from '../../../../../test/support/planning.ts';
import { chunkMaker } from './chunk-maker.ts';

const tools = { build: { key: 'build' } };
const maker = chunkMaker(...([tools, {}, {}] as unknown as Parameters<typeof chunkMaker>));

test('a plan that runs whole after its chunks has the frame size that was chosen for them', () => {
  const parameters = { 'c:v': 'libx264', 'b:v': '500k', pass: '2' };
  const plan = wholePlan({ input: 'a.mov', output: 'b.mp4', frameSize: 'auto', parameters });
  const chosen = { width: 640, height: 360, bitsPerSecond: 500_000, reason: 'It looks best.' };
  const whole = maker.wholeOf(plan, JSON.stringify({ run: { chosen: { frameSize: chosen } } }));
  expect(whole.passes.join(' ')).toMatch(/scale=w=640:h=360/);
  expect(whole.passes.join(' ')).not.toMatch(/TELECINE_/);
  expect(whole.chosen).toEqual({ frameSize: chosen });
  expect(whole).not.toHaveProperty('frameSize');
  expect(maker.wholeOf(plan, JSON.stringify({ run: {} }))).toBe(plan);
});

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
