import { randomUUID } from 'node:crypto';
import type { Leases } from '../ports.ts';
import type { UploadDeps } from './upload-deps.ts';
import { LOCK_LEASES } from './upload-locks.ts';

/** The most records that a sweep reads at once. */
const BATCH = 100;

/** Removes uploads that have expired, and the locks of services that were killed. Call it every hour. */
export async function sweepUploads({
  store,
  parts,
  leases,
  onEvent,
  log,
}: Pick<UploadDeps, 'store' | 'parts' | 'onEvent' | 'log'> & { readonly leases: Leases }): Promise<void> {
  const failed = new Set<string>();
  for (let more = true; more; ) {
    const uploads = await store.expired(BATCH);
    for (const { uploadId, data, isPublished } of uploads) {
      if (failed.has(uploadId)) continue;
      try {
        await parts.remove({ uploadId, data });
        await store.remove(uploadId);
        if (!isPublished) onEvent('expired');
      } catch (err) {
        failed.add(uploadId);
        log.warn({ err, uploadId }, 'expired upload not removed');
      }
    }
    more = uploads.length === BATCH && failed.size < BATCH;
  }
  const holder = randomUUID();
  for (const { name } of await leases.expired(LOCK_LEASES, BATCH))
    if (await leases.take({ name, holder }, 1)) await leases.release({ name, holder });
}
