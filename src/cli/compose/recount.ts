import type { MediaRoot } from '../../domain/media-root.ts';
import { isStoreOutage } from '../../domain/store-errors.ts';
import type { RecountFiles } from '../../domain/stored-files.ts';
import { openBackgroundRepeats } from '../../files/background-repeats.ts';
import { fileRecount } from '../../files/recount-files.ts';
import type { Log } from '../logger.ts';
import type { Storage } from './storage.ts';

/** Builds what corrects the counted files of clients, for uploads, jobs and deletions. `closers` end the repetitions. */
export const openRecount = (
  closers: AsyncDisposableStack,
  { store, files }: Pick<Storage, 'store' | 'files'>,
  rootOf: (clientId: string) => Promise<MediaRoot>,
  log: Pick<Log['log'], 'warn'>,
): RecountFiles =>
  fileRecount({
    stored: store.storedFiles,
    store: files,
    rootOf,
    repeats: closers.use(openBackgroundRepeats()),
    onFailure: (failure) => {
      if (!isStoreOutage(failure.err)) log.warn(failure, 'files not recounted');
    },
  });
