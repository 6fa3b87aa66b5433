import { type FSWatcher, watch } from 'node:fs';
import { errnoOf } from '@telecine/contract/domain/errno.ts';
import type { WatchedFolder } from '../../../watches/ports.ts';
import { isWatched } from '../../watch-memory.ts';
import { type DiskMemory, type FolderFollower, type KnownFolder, placeOf } from './disk-memory.ts';

/**
 * The most folders of which one service gets hints. The kernel allows a user at least 8,192 inotify watches in all programs
 * (fs.inotify.max_user_watches), so half is left to others. Changes in other folders are found by quick scans.
 */
export const MOST_LISTENED = 4096;

/** How many folders are added after one scan: they take some milliseconds, in which no other request has its turn. */
const MOST_ADDED = 250;

/** How long no more folders are added after the kernel has rejected one: other programs of the user have the rest. */
const EXHAUSTED_MS = 600_000;

/** The inotify watches that a service may still add. */
export interface ListenerBudget {
  left: number;
  /** Until when the kernel allows no more. */
  exhaustedUntilMs: number;
}

export const listenerBudget = (most = MOST_LISTENED): ListenerBudget => ({ left: most, exhaustedUntilMs: 0 });

interface Listened {
  readonly place: string;
  readonly watcher: FSWatcher;
}

/**
 * Marks in the memory of a watch what inotify reports about the folders that its scans have read. These are hints: Node does not report
 * that the queue of the kernel has overflowed, and a file can land between the read of a new folder and the start of its inotify watch. The
 * next quick scan finds both by the time of the folder.
 */
export function listenToFolders(
  budget: ListenerBudget,
  where: WatchedFolder,
  memory: DiskMemory,
  onHint: () => void,
): Disposable {
  const listened = new Map<string, Listened>();

  const drop = (folder: string): void => {
    const { watcher } = listened.get(folder) ?? {};
    if (watcher === undefined) return;
    listened.delete(folder);
    budget.left += 1;
    watcher.close();
  };
  const mark = (path: string): void => {
    memory.mark(path);
    onHint();
  };
  const onEvent = (folder: string, event: string, name: string | null): void => {
    const path = `${where.folder}${folder}`;
    if (name === null) {
      mark(path);
      return;
    }
    // A file that grows has an event for each write.
    if (memory.isMarked(`${path}${name}`)) return;
    // What has appeared may be a folder.
    const isNewFolder = event === 'rename' && isWatched(where, `${path}${name}/`);
    if (isNewFolder || isWatched(where, `${path}${name}`)) mark(`${path}${name}`);
  };
  const add = (folder: string, real: string, place: string): void => {
    try {
      const watcher = watch(real, { persistent: false }, (event, name) => onEvent(folder, event, name));
      watcher.on('error', () => {
        drop(folder);
        mark(`${where.folder}${folder}`);
      });
      listened.set(folder, { place, watcher });
      budget.left -= 1;
    } catch (error) {
      if (['ENOSPC', 'EMFILE', 'ENOMEM'].includes(errnoOf(error)))
        budget.exhaustedUntilMs = performance.now() + EXHAUSTED_MS;
    }
  };
  const follower: FolderFollower = {
    follow: (top, folders: ReadonlyMap<string, KnownFolder>) => {
      for (const [folder, { place }] of listened) {
        const known = folders.get(folder);
        if (known === undefined || placeOf(known) !== place) drop(folder);
      }
      let added = 0;
      for (const [folder, known] of folders) {
        if (added === MOST_ADDED || budget.left <= 0 || performance.now() < budget.exhaustedUntilMs) return;
        if (listened.has(folder)) continue;
        add(folder, folder === '' ? top : `${top}/${folder.slice(0, -1)}`, placeOf(known));
        added += 1;
      }
    },
  };
  memory.follower = follower;
  return {
    [Symbol.dispose]: () => {
      if (memory.follower === follower) memory.follower = undefined;
      for (const folder of [...listened.keys()]) drop(folder);
    },
  };
}
