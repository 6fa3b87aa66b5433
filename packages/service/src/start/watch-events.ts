import type { Watch, WatchedFailure, WatchedFile } from '@telecine/contract/domain/watch.ts';
import { shownFolder } from '@telecine/contract/domain/watch.ts';
import { failureView, watchedFileView } from '@telecine/contract/wire/watch.ts';
import type { WatchEventToRecord } from '../webhooks/record-watch-event.ts';

/** The event of files that wait for a person. `file`: one of them. `files`: their number. */
export const needsAttention = (clientId: string, at: string, file: WatchedFile, files: number): WatchEventToRecord => ({
  ...{ clientId, watchId: file.watchId, at, event: 'watch.needs_attention' },
  data: () => ({ watchId: file.watchId, client: clientId, file: watchedFileView(file), files }),
});

/** The event of a watch as a whole. */
export const ofWatch = (
  event: 'watch.unreachable' | 'watch.reachable' | 'watch.stopped',
  { watchId, clientId, folder }: Watch,
  at: string,
  stopped?: WatchedFailure,
): WatchEventToRecord => ({
  ...{ clientId, watchId, at, event },
  data: () => ({
    watchId,
    client: clientId,
    folder: shownFolder(folder),
    ...(stopped && { stopped: failureView(stopped) }),
  }),
});
