import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type CallOptions, remoteCalls } from './remote-calls.ts';

const UNAVAILABLE = { code: 'UNAVAILABLE', retryAfterSeconds: 5 };
const LIMIT_MS = 30_000;

function opened(threads = 4) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const changes: (readonly [disk: string, isHanging: boolean])[] = [];
  const run = remoteCalls({ timeoutMs: LIMIT_MS, threads, onChange: (...change) => changes.push(change) });
  const started: string[] = [];
  /** Makes a call that ends when its promise is resolved. */
  const call = (name: string, disk = '/nas', options?: CallOptions<string>) => {
    const reply = Promise.withResolvers<string>();
    const result = run(
      disk,
      () => {
        started.push(name);
        return reply.promise;
      },
      options,
    );
    result.catch(() => {});
    return { result, reply };
  };
  return { run, call, started, changes };
}

test('two calls run on a disk at a time, the others follow in turn, and other disks do not wait', async () => {
  const { call, started } = opened();
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => call(name));
  const other = call('other', '/other');
  await setImmediate();
  expect(started).toEqual(['a', 'b', 'other']);
  other.reply.resolve('other');
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

test('a slow disk that replies is waited for as long as a call may take, and is never said to hang', async () => {
  const { call, started, changes } = opened();
  const calls = Array.from({ length: 8 }, (_, index) => call(String(index)));
  // Two replies at a time: the calls 6 and 7 have had no turn after the limit.
  for (const pair of [0, 2, 4]) {
    await vi.advanceTimersByTimeAsync(LIMIT_MS / 2 - 1);
    for (const { reply } of calls.slice(pair, pair + 2)) reply.resolve('reply');
    await vi.advanceTimersByTimeAsync(0);
  }
  for (const { result } of calls.slice(0, 6)) expect(await result).toBe('reply');
  for (const { result } of calls.slice(6))
    await expect(result).rejects.toMatchObject({ ...UNAVAILABLE, message: expect.stringContaining('is slow') });
  expect([started, changes]).toEqual([['0', '1', '2', '3', '4', '5'], []]);
  const next = call('next');
  next.reply.resolve('next');
  expect(await next.result).toBe('next');
});

test('calls to a disk start before those of disks with more running calls, however many these have queued', async () => {
  const { call, started } = opened();
  const slow = ['a', 'b', 'c', 'd'].map((name) => call(name, '/slow'));
  const other = ['e', 'f'].map((name) => call(name, '/other'));
  const third = call('g', '/third');
  await setImmediate();
  expect(started).toEqual(['a', 'b', 'e']);
  slow[0]?.reply.resolve('a');
  await setImmediate();
  expect(started, 'no call to the third disk runs').toEqual(['a', 'b', 'e', 'g']);
  third.reply.resolve('g');
  await setImmediate();
  expect(started, 'both others have one; c waited longer').toEqual(['a', 'b', 'e', 'g', 'c']);
  other[0]?.reply.resolve('e');
  await setImmediate();
  expect(started).toEqual(['a', 'b', 'e', 'g', 'c', 'f']);
});

test('a call that throws instead of rejecting frees its turn', async () => {
  const { call, run } = opened();
  for (let count = 0; count < 4; count += 1)
    await expect(
      run('/nas', () => {
        throw new Error('a bug');
      }),
    ).rejects.toThrow('a bug');
  const next = call('next');
  next.reply.resolve('next');
  expect(await next.result).toBe('next');
});

test('a service with more threads makes more calls to disks that could hang, and one with a single thread makes one', async () => {
  const worlds = [6, 1].map((threads) => opened(threads));
  for (const { call } of worlds) for (const disk of ['/a', '/a', '/b', '/b', '/c', '/c', '/d']) call(disk, disk);
  await setImmediate();
  expect(worlds.map(({ started }) => started.length)).toEqual([5, 1]);
});

test('disks that hang together keep three threads, and other disks are used as long as one of these is left', async () => {
  const { call, started, changes } = opened();
  for (const name of ['a', 'b', 'c']) call(name, '/first');
  await vi.advanceTimersByTimeAsync(LIMIT_MS);
  expect(changes).toEqual([['/first', true]]);
  const second = ['d', 'e'].map((name) => call(name, '/second'));
  await setImmediate();
  expect(started).toEqual(['a', 'b', 'd']);
  second[0]?.reply.resolve('d');
  expect(await second[0]?.result).toBe('d');
  await setImmediate();
  expect(started).toEqual(['a', 'b', 'd', 'e']);
  const waiting = call('f', '/third');
  await vi.advanceTimersByTimeAsync(LIMIT_MS);
  for (const one of [second[1], waiting, call('g', '/third')])
    await expect(one?.result).rejects.toMatchObject(UNAVAILABLE);
  expect(started, 'one thread is left').toEqual(['a', 'b', 'd', 'e']);
  second[1]?.reply.resolve('late');
  await setImmediate();
  expect(changes).toEqual([
    ['/first', true],
    ['/second', true],
    ['/second', false],
  ]);
  const again = call('h', '/third');
  again.reply.resolve('h');
  expect(await again.result).toBe('h');
});

test('a result that comes too late is discarded, and a call that copies may take longer', async () => {
  const { call } = opened();
  const discarded: string[] = [];
  const short = call('short', '/nas', { discard: (late) => discarded.push(late) });
  const long = call('long', '/other', { extraMs: LIMIT_MS });
  await vi.advanceTimersByTimeAsync(LIMIT_MS);
  await expect(short.result).rejects.toMatchObject(UNAVAILABLE);
  short.reply.resolve('handle');
  await setImmediate();
  expect(discarded).toEqual(['handle']);
  long.reply.resolve('copied');
  expect(await long.result).toBe('copied');
});

test('an error says whether the disk itself hangs, or only leaves a call no turn', async () => {
  const { call } = opened(2);
  const hangs = call('a');
  const queued = call('b', '/other');
  await vi.advanceTimersByTimeAsync(LIMIT_MS);
  await expect(hangs.result).rejects.toMatchObject({ disk: '/nas', isHanging: true });
  await expect(call('c').result).rejects.toMatchObject({ disk: '/nas', isHanging: true });
  for (const { result } of [queued, call('d', '/other')])
    await expect(result).rejects.toMatchObject({ disk: '/other', isHanging: false });
});
