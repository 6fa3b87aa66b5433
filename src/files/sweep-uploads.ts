import { randomUUID } from 'node:crypto';
import type { UploadRecord } from './ports.ts';
import { removeUpload, type UploadDeps } from './resumable-uploads.ts';
import { LOCK_LEASES, lockName } from './upload-locks.ts';

type SweepDeps = Pick<UploadDeps, 'store' | 'parts' | 'leases' | 'recount' | 'onEvent' | 'log'>;

/** The most records that a sweep reads or removes at once. */
const BATCH = 100;

/** How long the sweep reserves an upload that it removes, so that no request and no other service changes the upload. */
const LEASE_SECONDS = 60;

/**
 * Removes uploads that have expired, bytes without a record, which a restored backup of the database leaves, and the locks of
 * services that were killed. Call it every hour.
 */
export async function sweepUploads(deps: SweepDeps): Promise<void> {
  const { store, leases, log } = deps;
  const holder = randomUUID();
  const kept = new Set<string>();
  for (let more = true; more; ) {
    const uploads = await store.expired(BATCH);
    // Nothing but records, which need no lock. Without this, each costs several transactions.
    if (uploads.some(({ isPublished, data }) => isPublished && data === '')) {
      await store.removePublished(BATCH);
      continue;
    }
    for (const upload of uploads) {
      const { uploadId } = upload;
      if (kept.has(uploadId)) continue;
      const lock = { name: lockName(uploadId), holder };
      // A request writes to it for longer than it is kept, or another service removes it.
      if (!(await leases.take(lock, LEASE_SECONDS))) {
        kept.add(uploadId);
        continue;
      }
      try {
        await removeExpired(deps, upload);
      } catch (err) {
        kept.add(uploadId);
        log.warn({ err, uploadId }, 'expired upload not removed');
      } finally {
        await leases.release(lock);
      }
    }
    more = uploads.length === BATCH && kept.size < BATCH;
  }
  await removeUnrecorded(deps);
  for (const { name } of await leases.expired(LOCK_LEASES, BATCH))
    if (await leases.take({ name, holder }, 1)) await leases.release({ name, holder });
}

/** Under the lock of the upload. */
async function removeExpired(deps: SweepDeps, upload: UploadRecord): Promise<void> {
  // A request has used it since it was listed.
  if ((await deps.store.find(upload.clientId, upload.uploadId)) !== undefined) return;
  if ((await removeUpload(deps, upload)) && !upload.isPublished) deps.onEvent('expired');
}

/** A record exists before the bytes and after them, so bytes that had none when they were listed get none. */
async function removeUnrecorded({ store, parts, log }: SweepDeps): Promise<void> {
  const uploadIds = (await parts.list?.()) ?? [];
  const recorded = await store.recorded(uploadIds);
  for (const uploadId of uploadIds) {
    if (recorded.has(uploadId)) continue;
    await parts.remove({ uploadId, data: '' }).catch((err: unknown) => {
      log.warn({ err, uploadId }, 'bytes of an unknown upload not removed');
    });
  }
}
