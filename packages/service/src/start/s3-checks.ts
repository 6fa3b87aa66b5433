import type { Finding } from '@telecine/contract/domain/finding.ts';
import type { Config } from '../config/config.ts';
import type { BucketSetting } from '../config/storage-buckets.ts';
import { bucketCheck } from '../media/s3/bucket-check.ts';
import type { S3Location } from '../media/s3/location.ts';
import { closeBuckets, openNamedBuckets, requireScratchDir, storageClients } from './s3-storage.ts';

/** The time limit for checking one bucket, including retries. */
const TIMEOUT_MS = 15_000;

/** Checks each bucket that requests may name. Lists an object, and writes and deletes one if requests may write. */
export async function checkBuckets(settings: readonly BucketSetting[]): Promise<readonly Finding[]> {
  const buckets = openNamedBuckets(settings);
  try {
    return await Promise.all(
      buckets.map(async ({ client, location, access }): Promise<Finding> => {
        const readsOnly = access === 'read';
        const wrong = await bucketCheck(client, location, { timeoutMs: TIMEOUT_MS, readsOnly })();
        const actions = readsOnly ? 'listed' : 'listed, written and deleted';
        if (wrong === undefined)
          return { name: 'bucket', state: 'ok', says: `${location.address}: objects can be ${actions}` };
        return {
          name: 'bucket',
          state: 'bad',
          says: wrong,
          fix: 'Correct its entry in the file of TELECINE_STORAGE_BUCKETS, or its credentials (docs/operate/s3.md#other-buckets).',
        };
      }),
    );
  } finally {
    closeBuckets(buckets);
  }
}

/** Checks the bucket of the service: lists, writes and deletes an object. */
export async function checkStorage(config: Config, storage: S3Location): Promise<Finding> {
  const { client } = storageClients(config);
  try {
    requireScratchDir(config);
    const wrong = await bucketCheck(client, storage, { timeoutMs: TIMEOUT_MS })();
    if (wrong !== undefined) throw new Error(wrong);
    const says = `s3://${storage.bucket}/${storage.prefix}: objects can be listed, written and deleted`;
    return { name: 'storage', state: 'ok', says };
  } catch (error) {
    return {
      name: 'storage',
      state: 'bad',
      says: error instanceof Error ? error.message : String(error),
      fix: 'Create the bucket, or correct TELECINE_STORAGE, TELECINE_STORAGE_ENDPOINT and the credentials (docs/operate/s3.md).',
    };
  } finally {
    client.destroy();
  }
}
