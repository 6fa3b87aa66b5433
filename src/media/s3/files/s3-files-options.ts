import type { S3Client } from '@aws-sdk/client-s3';
import type { Bucket } from '../bucket.ts';
import type { KeyLocks } from '../locks/key-locks.ts';
import type { UnrecordedUploads } from '../uploads/unrecorded-uploads.ts';
import type { OpenUploads } from './open-uploads.ts';

export interface S3FilesLog {
  warn(details: object, message: string): void;
}

export interface S3FilesOptions {
  readonly client: S3Client;
  /** A client for the address at which clients of the service reach the object store. Absent if they cannot. */
  readonly publicClient?: S3Client;
  readonly locks: KeyLocks;
  readonly openUploads: OpenUploads;
  readonly unrecordedUploads: UnrecordedUploads;
  readonly log: S3FilesLog;
}

/** The parts of the file store that its operations use. */
export interface S3Files extends S3FilesOptions, Bucket {}
