import { expect, test } from 'vitest';
import { probeTasks, slotLimits } from './probes.ts';

test('no client can hold all slots of the probes of a worker', () => {
  const kinds = probeTasks({ probe: () => Promise.reject(new Error('not reached')) }, () =>
    Promise.reject(new Error('not reached')),
  );
  expect(kinds.length).toBeGreaterThan(1);
  for (const { kind, slots, perClient } of kinds) expect(perClient, kind).toBeLessThan(slots);
});

test('no client can hold all slots of the probes that the service runs itself', () => {
  for (const [kind, { slots, perClient }] of Object.entries(slotLimits())) expect(perClient, kind).toBeLessThan(slots);
});
