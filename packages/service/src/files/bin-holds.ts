import { randomUUID } from 'node:crypto';
import type { BinHold, BinStore } from './ports.ts';

/** How long an entry is held. A service that is killed, or paused for longer, loses its hold. */
const HOLD_SECONDS = 60;

/** Creates a hold on an entry, for `BinStore.add` and `BinStore.hold`. */
export const newHold = (): BinHold => ({ holder: randomUUID(), seconds: HOLD_SECONDS });

/** Renews a hold until the result is disposed of. Ignores a failed renewal: the next comes before the hold ends. */
export function renewHold(bin: Pick<BinStore, 'hold'>, entryId: string, hold: BinHold): Disposable {
  const timer = setInterval(
    () => void bin.hold(entryId, hold).catch(() => undefined),
    (hold.seconds * 1000) / 3,
  ).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
