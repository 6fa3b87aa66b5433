import { join } from 'node:path';
import type { Toolchain } from '@telecine/ffmpeg/toolchain.ts';
import type { Config } from '../config/config.ts';
import type { FileOperations } from '../files/file-operations.ts';
import type { JobOperations } from '../jobs/job-operations.ts';
import { openDiskCache } from '../media/preview-cache.ts';
import type { PreviewCache } from '../previews/ports/preview-cache.ts';
import { makerHere, makerOnWorkers, manifestTurns } from '../previews/preview-makers.ts';
import { type PreviewOperations, previewOperations } from '../previews/preview-operations.ts';
import type { Auth } from './auth.ts';
import type { Log } from './logger.ts';
import type { Storage } from './storage.ts';

/** Creates the operation that makes previews with the tools of this machine or on a worker. */
export function openPreviews(
  config: Config,
  log: Log['log'],
  deps: {
    readonly storage: Storage;
    readonly tools: Promise<Toolchain | undefined>;
    readonly files: FileOperations;
    readonly jobs: Pick<JobOperations, 'get'>;
    readonly clientContextOf: Auth['clientContextOf'];
  },
): PreviewOperations {
  const { storage, tools, files, jobs, clientContextOf } = deps;
  const here = makerHere(storage.media, tools, config);
  const onWorkers = makerOnWorkers(storage.store, config);
  return previewOperations({
    files,
    getJob: (caller, jobId) => jobs.get(caller, jobId),
    contextOf: clientContextOf,
    make: async (...task) => {
      const hasTools = (await tools)?.ffprobePath !== undefined;
      return (hasTools || !storage.isShared ? here : onWorkers)(...task);
    },
    cache: openCache(config, log, storage),
    readInTurn: manifestTurns(),
  });
}

/** Above this, the cache removes the previews that were used longest ago. */
const CACHE_BYTES = 256 * 2 ** 20;

/** Opens the preview cache at its first use, because most processes never use it. */
function openCache({ dataDir }: Config, log: Log['log'], { dataSpace }: Storage): PreviewCache {
  const onError = (err: unknown): void => log.warn({ err }, 'preview cache not usable');
  let opened: Promise<PreviewCache | undefined> | undefined;
  const open = (): Promise<PreviewCache | undefined> => {
    opened ??= openDiskCache({
      dir: join(dataDir, 'previews'),
      maxBytes: CACHE_BYTES,
      isFull: async () => dataSpace.isLow(),
      onError,
    }).catch((error: unknown) => {
      onError(error);
      return undefined;
    });
    return opened;
  };
  return {
    get: async (key) => (await open())?.get(key),
    put: async (key, image) => (await open())?.put(key, image),
  };
}
