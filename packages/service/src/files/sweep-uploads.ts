import { randomUUID } from 'node:crypto';
import { LOCK_LEASES, lockName } from './upload-locks.ts';
import { removeUpload, type UploadDeps } from './uploads.ts';

type SweepDeps = Pick<UploadDeps, 'store' | 'parts' | 'leases' | 'onEvent' | 'log'>;

/** The maximum number of records that a sweep reads or removes at once. */
const BATCH = 100;

/** How long the sweep locks an upload that it removes. */
const LEASE_SECONDS = 60;

/**
 * Removes expired uploads, bytes without a record, and locks of services that were killed. (Bytes have no record if a
 * backup of the database was restored.) Call this every hour.
 */
export async function sweepUploads({ store, parts, leases, onEvent, log }: SweepDeps): Promise<void> {
  const holder = randomUUID();
  for (let goesOn = true; goesOn; ) {
    const uploads = await store.expired(BATCH);
    // Remove the records of published uploads without bytes together: they need no lock, and one by one they would cost
    // several transactions each.
    goesOn = uploads.some(({ isPublished, data }) => isPublished && data === '');
    if (goesOn) {
      await store.removePublished(BATCH);
      continue;
    }
    for (const upload of uploads) {
      const { uploadId, clientId, isPublished } = upload;
      const lock = { name: lockName(uploadId), holder };
      // The lock is taken: a long request still writes to the upload, or another service removes it.
      if (!(await leases.take(lock, LEASE_SECONDS))) continue;
      try {
        // A request may have renewed the upload since the list was read.
        if ((await store.find(clientId, uploadId)) !== undefined) continue;
        if (!(await removeUpload({ store, parts }, upload))) continue;
        goesOn = true;
        if (!isPublished) onEvent('expired');
      } catch (err) {
        log.warn({ err, uploadId }, 'expired upload not removed');
      } finally {
        await leases.release(lock);
      }
    }
  }
  // This is safe, because a record is added before the first bytes and removed after the last ones.
  const uploadIds = (await parts.list?.()) ?? [];
  const recorded = await store.recorded(uploadIds);
  for (const uploadId of uploadIds)
    if (!recorded.has(uploadId))
      await parts.remove({ uploadId, data: '' }).catch((err: unknown) => {
        log.warn({ err, uploadId }, 'stored bytes of an upload without a record not removed');
      });
  for (const { name } of await leases.expired(LOCK_LEASES, BATCH))
    if (await leases.take({ name, holder }, 1)) await leases.release({ name, holder });
}
