import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { expect, onTestFinished, test } from 'vitest';
import { mediaDisks } from '../paths/media-disks.ts';
import { openBoundary } from '../paths/root-boundary.ts';
import { changeQueues } from './change-queues.ts';

/** Opens the queue of a disk, in which a change of the client `first` runs until `end`. */
async function busyQueue() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'telecine-queue-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const boundary = await openBoundary(folder, () => undefined, mediaDisks());
  const changesOf = changeQueues();
  const begun: string[] = [];
  /** Resolves when the change is queued. `ended` of the result: the change. */
  const queue = async (clientId: string, change: string, run = async () => {}) => {
    const controller = new AbortController();
    const { signal: hangUp } = controller;
    const listen = hangUp.addEventListener.bind(hangUp);
    let ended: Promise<void> = Promise.resolve();
    await new Promise<void>((resolve) => {
      // The queue listens for the hang-up of each call that it takes.
      hangUp.addEventListener = (...args: Parameters<typeof listen>) => {
        listen(...args);
        resolve();
      };
      ended = changesOf({ clientId, hangUp })(boundary, ['a' as MediaPath], () => {
        begun.push(change);
        return run();
      });
      ended.catch(() => {});
    });
    return { ended, hangUp: () => controller.abort(new Problem('BAD_REQUEST', 'The client is gone.')) };
  };
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const first = await queue('first', 'first 1', () => promise);
  return { queue, begun, end, first };
}

test('clients take turns, and the changes of one client keep their order', async () => {
  const { queue, begun, end } = await busyQueue();
  const queued = [
    await queue('first', 'first 2'),
    await queue('first', 'first 3'),
    await queue('other', 'other 1'),
    await queue('other', 'other 2'),
  ];
  end();
  for (const { ended } of queued) await ended;
  expect(begun).toEqual(['first 1', 'other 1', 'first 2', 'other 2', 'first 3']);
});

test('a change whose client disconnects is dropped before it begins, and not once it runs', async () => {
  const { queue, begun, end, first } = await busyQueue();
  const dropped = await queue('first', 'first 2');
  const last = await queue('first', 'first 3');
  dropped.hangUp();
  await expect(dropped.ended).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  first.hangUp();
  end();
  await first.ended;
  await last.ended;
  expect(begun).toEqual(['first 1', 'first 3']);
});
