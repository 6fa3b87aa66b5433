import { expect, test } from 'vitest';
import { serviceState } from './ready-state.ts';

test('a service that is ready and starts no job is paused, not ready', () => {
  const store = { status: 'ok' } as const;
  expect(serviceState({ status: 'ready', checks: { store } }, undefined).name).toBe('Ready');
  expect(serviceState({ status: 'ready', checks: { store, queue: { status: 'paused' } } }, undefined)).toEqual({
    name: 'Paused',
    tone: 'paused',
  });
  expect(serviceState({ status: 'unavailable', checks: { queue: { status: 'paused' } } }, undefined).name).toBe(
    'Not ready',
  );
});

test('a service that is ready and fails checks of its machine says how many', () => {
  const store = { status: 'ok' } as const;
  const doctor = (...states: readonly ('ok' | 'warn' | 'bad')[]) => ({
    findings: states.map((state, i) => ({ name: `check ${i}`, state, says: 'found' })),
  });
  expect(serviceState({ status: 'ready', checks: { store } }, doctor('ok', 'warn')).name).toBe('Ready');
  expect(serviceState({ status: 'ready', checks: { store } }, doctor('ok', 'bad'))).toEqual({
    name: '1 check fails',
    tone: 'warn',
  });
  const paused = { store, queue: { status: 'paused' } } as const;
  expect(serviceState({ status: 'ready', checks: paused }, doctor('bad', 'bad')).name).toBe('2 checks fail');
  expect(serviceState({ status: 'unavailable', checks: paused }, doctor('bad')).name).toBe('Not ready');
});
