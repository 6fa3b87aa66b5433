import { expect, test } from 'vitest';
import { checkRows, passedText, serviceState } from './ready-state.ts';

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

test('a part that readiness and doctor both look at has one row while it is fine, and a row for each fault', () => {
  const ready = {
    status: 'ready',
    checks: { ffmpeg: { status: 'ok' }, queue: { status: 'ok' }, limits: { status: 'ok', message: 'One. Two.' } },
  } as const;
  const found = { name: 'ffmpeg', state: 'ok', says: '7.1 at /usr/bin/ffmpeg' } as const;
  const limits = { name: 'limits', state: 'ok', says: 'of another service' } as const;
  const rows = checkRows(ready, { findings: [found, limits] });
  expect(rows.map(({ name, text }) => [name, text])).toEqual([
    ['ffmpeg', '7.1 at /usr/bin/ffmpeg'],
    ['Limits of each job', 'One. Two.'],
    ['Queue', 'Not paused'],
  ]);
  expect(passedText(rows)).toBe('All 3 checks pass');
  const gone = { status: 'failed', message: 'ffmpeg is gone.' } as const;
  const broken = checkRows({ ...ready, checks: { ...ready.checks, ffmpeg: gone } }, { findings: [found, limits] });
  // What doctor found earlier is no longer so.
  expect(broken.map(({ name, text }) => [name, text]).slice(0, 2)).toEqual([
    ['ffmpeg', 'ffmpeg is gone'],
    ['Limits of each job', 'One. Two.'],
  ]);
  expect(passedText(broken)).toBe('2 of 3 checks pass');
});

test('the free space of the data folder is shown once, with its figure', () => {
  const found = { name: 'store', state: 'ok', says: 'SQLite in /data, 80 GB free' } as const;
  const rowsOf = (status: 'ok' | 'failed') =>
    checkRows({ status: 'ready', checks: { dataDisk: { status } } }, { findings: [found] }).map(({ name }) => name);
  expect(rowsOf('ok')).toEqual(['Database']);
  // Without the room, both are shown.
  expect(rowsOf('failed')).toEqual(['Free space in the data folder', 'Database']);
});

test('a fault that readiness and doctor report in the same words has two rows, which differ for React', () => {
  const broken = { status: 'failed', message: 'It is gone.' } as const;
  const found = { name: 'store', state: 'bad', says: 'it is gone' } as const;
  const rows = checkRows({ status: 'unavailable', checks: { store: broken } }, { findings: [found] });
  expect(rows.map(({ name, text }) => `${name}: ${text}`)).toEqual(['Database: It is gone', 'Database: It is gone']);
  expect(new Set(rows.map(({ key }) => key)).size).toBe(2);
});
