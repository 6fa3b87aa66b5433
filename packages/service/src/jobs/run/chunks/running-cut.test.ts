import { expect, test, vi } from 'vitest';
import type { CutOptions, WholeReason } from '../../ports/chunk-maker.ts';
import { ChunkUnfit } from './encode-chunk.ts';
import { startCut } from './running-cut.ts';

/** A cut whose steps the test decides. */
function cutByHand(onStore: (parts: readonly string[]) => WholeReason | undefined = () => undefined) {
  const stored: string[] = [];
  const ended = Promise.withResolvers<WholeReason | undefined>();
  let give: CutOptions['onParts'] = () => undefined;
  let isStopped = false;
  const cut = startCut({
    signal: new AbortController().signal,
    cut: (signal, onParts) => {
      give = onParts;
      signal.addEventListener('abort', () => {
        isStopped = true;
        ended.reject(signal.reason);
      });
      return ended.promise;
    },
    store: async (parts) => {
      const reason = onStore(parts);
      if (reason === undefined) stored.push(...parts);
      return reason;
    },
  });
  const onParts: CutOptions['onParts'] = (...args) => give(...args);
  return { cut, stored, onParts, end: ended.resolve, fail: ended.reject, isStopped: () => isStopped };
}

test('the first parts are stored while later ones are still sought', async () => {
  const { cut, stored, onParts, end } = cutByHand();
  onParts(['first', 'second'], 0.1);
  expect(await cut.begun).toBeUndefined();
  expect(stored).toEqual(['first', 'second']);
  expect([cut.isEnded(), cut.share()]).toEqual([false, 0.1]);
  onParts(['third'], 1);
  end(undefined);
  await expect.poll(() => cut.isEnded()).toBe(true);
  expect(stored).toEqual(['first', 'second', 'third']);
  expect(cut.share()).toBe(1);
});

test('a reason to run whole that is found before any part is stored is no failure', async () => {
  const early = cutByHand();
  early.end({ whole: 'The input has no video.' });
  expect(await early.cut.begun).toEqual({ whole: 'The input has no video.' });
  const unshared = cutByHand(() => ({ whole: 'The input is at a URL.' }));
  unshared.onParts(['first'], 0.1);
  expect(await unshared.cut.begun).toEqual({ whole: 'The input is at a URL.' });
  expect(unshared.stored).toEqual([]);
});

test('a reason to run whole that is found later makes the chunks unfit', async () => {
  const { cut, onParts, end } = cutByHand();
  onParts(['first'], 0.1);
  await cut.begun;
  end({ whole: 'Two frames of the input have the same time.' });
  await vi.waitFor(() => expect(() => cut.isEnded()).toThrow(ChunkUnfit));
});

test('if parts cannot be stored, the cut stops with this error, and stores no later ones', async () => {
  const lost = new Error('The claim is lost.');
  const { cut, stored, onParts, isStopped } = cutByHand(() => {
    throw lost;
  });
  onParts(['first'], 0.1);
  onParts(['second'], 0.2);
  await expect(cut.begun).rejects.toBe(lost);
  await cut.stop();
  expect(isStopped()).toBe(true);
  expect(() => cut.isEnded()).toThrow(lost);
  expect(stored).toEqual([]);
});
