import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { FolderUnreachable } from '../../../watches/ports.ts';
import { remoteCalls } from '../paths/remote-calls.ts';
import { type DiskTurns, diskCalls } from './disk-calls.ts';

const shared = (timeoutMs = 60_000) => ({ turns: new Map() as DiskTurns, limited: remoteCalls({ timeoutMs }) });

/** Opens the calls of one scan. The scans of a service share `turns` and `limited`. */
function opened(
  { turns, limited }: ReturnType<typeof shared>,
  disk = '/nas',
  signal = new AbortController().signal,
  timeoutMs = 60_000,
) {
  const calls = diskCalls(turns, limited, signal, timeoutMs);
  onTestFinished(() => calls[Symbol.dispose]());
  return {
    run: <T>(call: () => Promise<T>, discard?: (late: T) => unknown): Promise<T> => calls.run(disk, call, discard),
  };
}

test('of the calls to a disk, one runs at a time; other disks do not wait for it', async () => {
  const service = shared();
  const [first, second, other] = [opened(service), opened(service), opened(service, '/other')];
  const hanging = Promise.withResolvers<string>();
  const started: string[] = [];
  const ended = Promise.all([
    first.run(() => {
      started.push('first');
      return hanging.promise;
    }),
    second.run(async () => {
      started.push('second');
      return 'b';
    }),
  ]);
  expect(await other.run(async () => 'c')).toBe('c');
  await setImmediate();
  expect(started).toEqual(['first']);
  hanging.resolve('a');
  expect(await ended).toEqual(['a', 'b']);
  expect(service.turns.size).toBe(0);
});

test('a disk that does not answer is unreachable, and its call keeps its turn until it returns', async () => {
  const service = shared(20);
  const hanging = Promise.withResolvers<string>();
  const late: string[] = [];
  const calls = opened(service, '/nas', undefined, 20);
  await expect(
    calls.run(
      () => hanging.promise,
      (value) => late.push(value),
    ),
  ).rejects.toEqual(new FolderUnreachable('timeout'));
  let hasRun = false;
  const waiting = opened(service, '/nas', undefined, 20).run(async () => {
    hasRun = true;
  });
  await expect(waiting).rejects.toMatchObject({ reason: 'timeout' });
  expect([hasRun, late]).toEqual([false, []]);
  hanging.resolve('handle');
  await setImmediate();
  expect(late).toEqual(['handle']);
  expect(await calls.run(async () => 'again')).toBe('again');
});

test('an abort ends the wait for a disk at once', async () => {
  const aborts = new AbortController();
  const calls = opened(shared(), '/nas', aborts.signal);
  const waiting = calls.run(() => new Promise(() => {}));
  aborts.abort(new Error('the watch was deleted'));
  await expect(waiting).rejects.toThrow('the watch was deleted');
  await expect(calls.run(async () => 'a')).rejects.toThrow('the watch was deleted');
});

test('an error of a call is thrown, and frees the disk', async () => {
  const service = shared();
  await expect(opened(service).run(() => Promise.reject(new Error('EIO')))).rejects.toThrow('EIO');
  expect(await opened(service).run(async () => 'a')).toBe('a');
});
