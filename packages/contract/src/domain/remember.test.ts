import { expect, test, vi } from 'vitest';
import { lazily, rememberSuccess, shareRunning } from './remember.ts';

test('callers at the same time and later share one call', async () => {
  const create = vi.fn(async () => ({}));
  const shared = rememberSuccess(create);
  const [first, second] = await Promise.all([shared(), shared()]);
  expect([second, await shared()].every((value) => value === first)).toBe(true);
  expect(create).toHaveBeenCalledOnce();
});

test('all callers of a failed call see its error, and the next caller tries again', async () => {
  const create = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('busy')).mockResolvedValue('ready');
  const shared = rememberSuccess(create);
  const both = await Promise.allSettled([shared(), shared()]);
  expect(both).toMatchObject([{ reason: { message: 'busy' } }, { reason: { message: 'busy' } }]);
  expect([await shared(), await shared()]).toEqual(['ready', 'ready']);
  expect(create).toHaveBeenCalledTimes(2);
});

test('the promise is there while the call runs and after it succeeded, so that the result can be closed', async () => {
  const outcome = Promise.withResolvers<string>();
  const shared = rememberSuccess(() => outcome.promise);
  expect(shared.started()).toBeUndefined();
  const call = shared();
  expect(shared.started()).toBe(call);
  outcome.resolve('open');
  await call;
  expect(await shared.started()).toBe('open');
});

test('there is no promise after a failure, so that nothing is closed', async () => {
  const shared = rememberSuccess(() => Promise.reject(new Error('busy')));
  await expect(shared()).rejects.toThrow('busy');
  expect(shared.started()).toBeUndefined();
});

test('callers share a call while it runs, and the next one starts another, also after a failure', async () => {
  const calls = [Promise.withResolvers<number>(), Promise.withResolvers<number>()] as const;
  const start = vi.fn<() => Promise<number>>();
  for (const { promise } of calls) start.mockReturnValueOnce(promise);
  const shared = shareRunning(start);
  expect(shared.started()).toBeUndefined();
  const first = [shared(), shared()];
  expect(shared.started()).toBe(first[0]);
  calls[0].reject(new Error('busy'));
  expect(await Promise.allSettled(first)).toMatchObject([
    { reason: { message: 'busy' } },
    { reason: { message: 'busy' } },
  ]);
  expect(shared.started()).toBeUndefined();
  const second = [shared(), shared()];
  calls[1].resolve(2);
  expect(await Promise.all(second)).toEqual([2, 2]);
  expect(start).toHaveBeenCalledTimes(2);
});

test('a function is loaded once, at its first call, and again if that failed', async () => {
  const load = vi
    .fn<() => Promise<(text: string) => Promise<string>>>()
    .mockRejectedValueOnce(new Error('no file descriptor'))
    .mockResolvedValue(async (text) => text.toUpperCase());
  const upper = lazily(load);
  expect(load).not.toHaveBeenCalled();
  await expect(upper('a')).rejects.toThrow('no file descriptor');
  expect([await upper('a'), await upper('b')]).toEqual(['A', 'B']);
  expect(load).toHaveBeenCalledTimes(2);
});
