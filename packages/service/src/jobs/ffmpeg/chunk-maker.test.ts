import { expect, test } from 'vitest';
import { wholePlan } from '../../../../../test/support/planning.ts';
import { chunkMaker } from './chunk-maker.ts';

const maker = chunkMaker(...([{}, {}, {}] as unknown as Parameters<typeof chunkMaker>));

test('a plan that runs whole after its chunks has the frame size that was chosen for them', () => {
  const parameters = { 'c:v': 'libx264', 'b:v': '500k', pass: '2' };
  const plan = wholePlan({ input: 'a.mov', output: 'b.mp4', frameSize: 'auto', parameters });
  const chosen = { width: 640, height: 360, bitsPerSecond: 500_000, reason: 'It looks best.' };
  const whole = maker.wholeOf(plan, JSON.stringify({ run: { frameSize: chosen } }));
  expect(whole.passes.join(' ')).toMatch(/scale=w=640:h=360/);
  expect(whole.passes.join(' ')).not.toMatch(/TELECINE_/);
  expect(whole.chosenFrameSize).toEqual(chosen);
  expect(whole).not.toHaveProperty('frameSize');
  expect(maker.wholeOf(plan, JSON.stringify({ run: {} }))).toBe(plan);
});
