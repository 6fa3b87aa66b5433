import type { Watch, WatchedFile } from '@telecine/contract/domain/watch.ts';
import { shownFolder } from '@telecine/contract/domain/watch.ts';
import { watchedFileView } from '@telecine/contract/wire/watch.ts';
import type { WatchEventToRecord } from '../webhooks/record-watch-event.ts';

/** The event of a file that waits for a person. */
export const needsAttention = (clientId: string, at: string, file: WatchedFile): WatchEventToRecord => ({
  ...{ clientId, watchId: file.watchId, at, event: 'watch.needs_attention' },
  data: () => ({ watchId: file.watchId, client: clientId, file: watchedFileView(file) }),
});

/** The event of a watch as a whole. */
export const ofWatch = (
  event: 'watch.unreachable' | 'watch.drained',
  { watchId, clientId, folder }: Watch,
  at: string,
): WatchEventToRecord => ({
  ...{ clientId, watchId, at, event },
  data: () => ({ watchId, client: clientId, folder: shownFolder(folder) }),
});
