import { expect, test } from 'vitest';
import { readyState } from './ready-state.ts';

test('a service that is ready and starts no job is paused, not ready', () => {
  const store = { status: 'ok' } as const;
  expect(readyState({ status: 'ready', checks: { store } }).name).toBe('Ready');
  expect(readyState({ status: 'ready', checks: { store, queue: { status: 'paused' } } })).toEqual({
    name: 'Paused',
    tone: 'live',
  });
  expect(readyState({ status: 'unavailable', checks: { queue: { status: 'paused' } } }).name).toBe('Not ready');
});
