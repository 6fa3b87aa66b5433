import type { Config } from '../../config/config.ts';
import type { RecountFiles } from '../../domain/stored-files.ts';
import { type UploadOperations, uploadOperations } from '../../files/resumable-uploads.ts';
import { sweepUploads } from '../../files/sweep-uploads.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { Log } from '../logger.ts';
import { everyHour } from './every.ts';
import type { Storage } from './storage.ts';

/** Builds the operations on resumable uploads, and removes those that have expired every hour. */
export function openUploads(
  closers: AsyncDisposableStack,
  config: Pick<Config, 'maxUploadBytes' | 'uploadExpirySeconds'>,
  log: Log['log'],
  {
    store,
    uploadParts,
    recount,
    metrics,
  }: Pick<Storage, 'store' | 'uploadParts'> & {
    readonly recount: RecountFiles;
    readonly metrics: Pick<Metrics, 'countUpload'>;
  },
): UploadOperations {
  const deps = {
    store: store.resumableUploads,
    recount,
    leases: store.leases,
    parts: uploadParts,
    maxBytes: config.maxUploadBytes,
    expirySeconds: config.uploadExpirySeconds,
    onEvent: metrics.countUpload,
    log,
  };
  closers.use(everyHour(() => sweepUploads(deps), log, { startsNow: true }));
  return uploadOperations(deps);
}
