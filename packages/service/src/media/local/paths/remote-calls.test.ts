import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { remoteCalls } from './remote-calls.ts';

const UNAVAILABLE = { code: 'UNAVAILABLE', retryAfterSeconds: 5 };
const LIMIT_MS = 30_000;

function opened() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const run = remoteCalls(LIMIT_MS);
  const started: string[] = [];
  /** Makes a call that ends when its promise is resolved. */
  const call = (name: string, disk = '/nas') => {
    const reply = Promise.withResolvers<string>();
    const result = run(disk, () => {
      started.push(name);
      return reply.promise;
    });
    result.catch(() => {});
    return { result, reply };
  };
  return { call, started };
}

test('two calls run on a disk at a time, the others follow in turn, and other disks do not wait', async () => {
  const { call, started } = opened();
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => call(name));
  call('other', '/other');
  expect(started).toEqual(['a', 'b', 'other']);
  b?.reply.resolve('b');
  await setImmediate();
  expect(started).toEqual(['a', 'b', 'other', 'c']);
  a?.reply.reject(new Error('EIO'));
  await expect(a?.result).rejects.toThrow('EIO');
  for (const one of [c, d]) one?.reply.resolve('reply');
  expect(await Promise.all([b, c, d].map((one) => one?.result))).toEqual(['b', 'reply', 'reply']);
});

test('calls to a disk that does not reply end after the limit, and later ones at once, until it replies', async () => {
  const { call, started } = opened();
  const [a, b, c] = ['a', 'b', 'c'].map((name) => call(name));
  await vi.advanceTimersByTimeAsync(LIMIT_MS - 1);
  a?.reply.resolve('in time');
  expect(await a?.result).toBe('in time');
  await vi.advanceTimersByTimeAsync(1);
  await expect(b?.result).rejects.toMatchObject(UNAVAILABLE);
  const late = call('late');
  await expect(late.result).rejects.toMatchObject(UNAVAILABLE);
  expect(started, 'the third began when the first ended').toEqual(['a', 'b', 'c']);
  c?.reply.resolve('c');
  expect(await c?.result).toBe('c');
  b?.reply.resolve('too late');
  await setImmediate();
  const again = call('again');
  again.reply.resolve('again');
  expect(await again.result).toBe('again');
});

test('calls that wait for others of a disk that does not reply end with them', async () => {
  const { call, started } = opened();
  const calls = ['a', 'b', 'c', 'd'].map((name) => call(name));
  await vi.advanceTimersByTimeAsync(LIMIT_MS);
  for (const { result } of calls) await expect(result).rejects.toMatchObject(UNAVAILABLE);
  expect(started).toEqual(['a', 'b']);
});

test('a slow disk that replies is waited for, however many calls wait', async () => {
  const { call } = opened();
  const calls = Array.from({ length: 8 }, (_, index) => call(String(index)));
  for (const { reply } of calls) {
    await vi.advanceTimersByTimeAsync(LIMIT_MS / 2 - 1);
    reply.resolve('reply');
  }
  expect(await Promise.all(calls.map(({ result }) => result))).toHaveLength(8);
});
