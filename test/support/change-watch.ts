import type { Watch } from '../../packages/contract/src/domain/watch.ts';
import type { WatchChange } from '../../packages/contract/src/wire/watch.ts';
import type { WatchStore } from '../../packages/service/src/store/watches.ts';
import { changedWatch } from '../../packages/service/src/watches/check-watch.ts';

/** Stores a change of a watch, as a call of its client does. */
export const changeWatch = (
  watches: WatchStore,
  watchId: string,
  change: WatchChange,
  at: string,
): Promise<Watch | undefined> => watches.update(watchId, (watch) => changedWatch(watch, change, at));
