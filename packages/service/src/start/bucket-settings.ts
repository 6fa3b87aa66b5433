import { statSync } from 'node:fs';
import type { BucketGrant } from '@telecine/contract/domain/media-root.ts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/read-settings.ts';
import { readSecretSetting } from '../config/secret-files.ts';
import { type BucketSetting, parseBuckets } from '../config/storage-buckets.ts';
import type { Log } from './logger.ts';

const SETTING = 'TELECINE_STORAGE_BUCKETS';

/** Reads the buckets that requests may name. Throws `ConfigError` if their file is missing or malformed. */
export function readBuckets({ storage, storageBuckets, storageEndpoint }: Config): readonly BucketSetting[] {
  if (storageBuckets === undefined) return [];
  const text = readSecretSetting(SETTING, storageBuckets);
  const own = storage && { ...storage, ...(storageEndpoint !== undefined && { endpoint: storageEndpoint }) };
  try {
    return parseBuckets(text, own);
  } catch (cause) {
    throw new ConfigError(`${SETTING}: ${storageBuckets}: ${cause instanceof Error ? cause.message : ''}`, { cause });
  }
}

export const secretFilesOf = (buckets: readonly BucketSetting[]): readonly string[] => [
  ...new Set(buckets.flatMap(({ credentialsFile }) => credentialsFile ?? [])),
];

export function warnOfExposedFiles(buckets: readonly BucketSetting[], log: Pick<Log['log'], 'warn'>): void {
  for (const path of exposedFiles(buckets))
    log.warn(
      { path },
      'other users can read the credentials of a bucket; make the file readable for this user only (chmod 600)',
    );
}

/** The credentials files that other users of this machine can read. */
export const exposedFiles = (buckets: readonly BucketSetting[]): readonly string[] =>
  secretFilesOf(buckets).filter(isReadableByOthers);

function isReadableByOthers(path: string): boolean {
  try {
    return (statSync(path).mode & 0o004) !== 0;
  } catch {
    // A missing file is reported by the first request to the bucket.
    return false;
  }
}

/** Returns the access of a client to each bucket. */
export const grantsOf = (buckets: readonly BucketSetting[], clientId: string): readonly BucketGrant[] =>
  buckets.map(({ bucket, prefix, access, clients }) => ({
    bucket,
    prefix,
    access: clients.includes(clientId) || clients.includes('*') ? access : 'none',
  }));
