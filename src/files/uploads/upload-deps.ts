import { Problem } from '../../domain/problem.ts';
import type { RecountFiles } from '../../domain/stored-files.ts';
import type { UploadParts, UploadRecord, UploadStore } from '../ports/resumable-uploads.ts';
import type { UploadOperations } from './operations.ts';

/** What happened to an upload, for the metrics. */
export type UploadEvent = 'created' | 'finished' | 'removed' | 'expired';

export interface UploadDeps extends Pick<UploadOperations, 'maxBytes' | 'expirySeconds'> {
  readonly store: UploadStore;
  readonly parts: UploadParts;
  readonly recount: RecountFiles;
  readonly onEvent: (event: UploadEvent) => void;
  readonly log: { warn(details: object, message: string): void };
}

/** Whether a record is one of an upload, and not of one that a crash has interrupted before it began. */
export const hasBegun = ({ data, isPublished }: UploadRecord): boolean => data !== '' || isPublished;

export const uploadNotFound = (): Problem =>
  new Problem(
    'UPLOAD_NOT_FOUND',
    'This client has no such upload: it was deleted, or it expired unused. Create another upload.',
  );

/** Another request took the upload over, because this one was paused for too long. */
export const lostLock = (): Problem =>
  new Problem('UPLOAD_LOCKED', 'Another request has taken this upload over. Ask for its offset and resume.', {
    retryAfterSeconds: 1,
  });
