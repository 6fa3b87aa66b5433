import { JobFailed } from '../../domain/failure.ts';

/** The failure of a job that names a bucket which the operator has not allowed, or no longer allows. */
export const bucketNotAllowed = (path: string, use: 'read' | 'write'): JobFailed =>
  new JobFailed({
    code: 'UNSUPPORTED',
    message: `The bucket of "${path}" is not allowed${use === 'write' ? ' for writing' : ''} for this client.`,
    fix: 'Use a path in your media root, or ask the operator to add the bucket to TELECINE_STORAGE_BUCKETS.',
  });
