import type { FileHandle } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import type { Mount } from '@telecine/contract/domain/plan.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { replaceFsCall } from '../../../../test/support/replace-fs-call.ts';
import { pinInputs, readPinned } from './pinned-files.ts';
import type { Sandbox } from './sandbox.ts';

const MOUNT = { hostPath: '/nas/in.mp4', logical: 'in/0.mp4', identities: ['1:2'] } as Mount;
const SANDBOX = { kind: 'none' } as Sandbox;
const LIMIT_MS = 30_000;
const HANGS = { failure: { code: 'STORAGE_FAULT', message: expect.stringContaining('within 30 s') } };

/** A file that the storage opens when `reply` is resolved. The calls in `hanging` never return. */
function storage({ hanging = [] as readonly string[] } = {}) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const reply = Promise.withResolvers<FileHandle>();
  const closed: string[] = [];
  const returns = (name: string, value: unknown) => () => (hanging.includes(name) ? new Promise(() => {}) : value);
  const handle = {
    fd: 7,
    stat: returns('stat', Promise.resolve({ dev: 1n, ino: 2n })),
    read: returns('read', Promise.resolve({ buffer: Buffer.from('film'), bytesRead: 4 })),
    close: async () => {
      closed.push('in.mp4');
      await returns('close', undefined)();
    },
  } as unknown as FileHandle;
  replaceFsCall('open', () => () => reply.promise);
  return { open: () => reply.resolve(handle), closed };
}

test('an input of a storage that does not reply is not waited for, and is closed when it does', async () => {
  const { open, closed } = storage();
  const pinned = expect(pinInputs('/work', [MOUNT], SANDBOX)).rejects.toMatchObject(HANGS);
  await vi.advanceTimersByTimeAsync(LIMIT_MS);
  await pinned;
  open();
  await setImmediate();
  expect(closed).toEqual(['in.mp4']);
});

test('an input whose stats or bytes do not arrive is not waited for either', async () => {
  for (const hanging of ['stat', 'read']) {
    const { open } = storage({ hanging: [hanging] });
    open();
    const read = expect(readPinned(MOUNT, 4), hanging).rejects.toMatchObject(HANGS);
    await vi.advanceTimersByTimeAsync(LIMIT_MS);
    await read;
  }
});

test('a storage that does not close a file does not delay the end of a run', async () => {
  const { open, closed } = storage({ hanging: ['close'] });
  open();
  const inputs = await pinInputs('/work', [MOUNT], SANDBOX);
  const closing = inputs.close();
  await vi.advanceTimersByTimeAsync(LIMIT_MS);
  await closing;
  expect(closed).toEqual(['in.mp4']);
});
