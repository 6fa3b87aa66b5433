import { randomUUID } from 'node:crypto';
import type { UploadRecord } from './ports.ts';
import { LOCK_LEASES, lockName } from './upload-locks.ts';
import { removeUpload, type UploadDeps } from './uploads.ts';

type SweepDeps = Pick<UploadDeps, 'store' | 'parts' | 'leases' | 'shares' | 'onEvent' | 'log'>;

/** The maximum number of records that a sweep reads or removes at once. */
const BATCH = 100;

/** How long the sweep locks an upload that it removes. */
const LEASE_SECONDS = 60;

/**
 * Removes expired uploads, bytes without a record, and locks of services that were killed. (Bytes have no record if a
 * backup of the database was restored.) Call this every hour.
 */
export async function sweepUploads(deps: SweepDeps): Promise<void> {
  const { store, leases, log } = deps;
  const holder = randomUUID();
  const skipped = new Set<string>();
  for (let more = true; more; ) {
    const uploads = await store.expired(BATCH);
    // Remove the records of published uploads without bytes together: they need no lock, and one by one they would cost
    // several transactions each.
    if (uploads.some(({ isPublished, data }) => isPublished && data === '')) {
      await store.removePublished(BATCH);
      continue;
    }
    for (const upload of uploads) {
      const { uploadId } = upload;
      if (skipped.has(uploadId)) continue;
      const lock = { name: lockName(uploadId), holder };
      // The lock is taken: a long request still writes to the upload, or another service removes it.
      if (!(await leases.take(lock, LEASE_SECONDS))) {
        skipped.add(uploadId);
        continue;
      }
      try {
        await removeExpired(deps, upload);
      } catch (err) {
        skipped.add(uploadId);
        log.warn({ err, uploadId }, 'expired upload not removed');
      } finally {
        await leases.release(lock);
      }
    }
    more = uploads.length === BATCH && skipped.size < BATCH;
  }
  await removeUnrecorded(deps);
  for (const { name } of await leases.expired(LOCK_LEASES, BATCH))
    if (await leases.take({ name, holder }, 1)) await leases.release({ name, holder });
}

/** Removes an expired upload. The caller must have the lock. */
async function removeExpired(deps: SweepDeps, upload: UploadRecord): Promise<void> {
  // A request may have renewed the upload since the list was read.
  if ((await deps.store.find(upload.clientId, upload.uploadId)) !== undefined) return;
  if ((await removeUpload(deps, upload)) && !upload.isPublished) deps.onEvent('expired');
}

/**
 * Removes bytes that have no record. This is safe, because a record is added before the first bytes and removed after
 * the last ones.
 */
async function removeUnrecorded({ store, parts, log }: SweepDeps): Promise<void> {
  const uploadIds = (await parts.list?.()) ?? [];
  const recorded = await store.recorded(uploadIds);
  for (const uploadId of uploadIds) {
    if (recorded.has(uploadId)) continue;
    await parts.remove({ uploadId, data: '' }).catch((err: unknown) => {
      log.warn({ err, uploadId }, 'stored bytes of an upload without a record not removed');
    });
  }
}
