import type { Job } from '@telecine/client';

const QUEUED = /^The job is queued for processing\.\s*/;

/** Says of a queued job that it is, and why it does not start if the service knows that. */
export function queuedText({ message }: Pick<Job, 'message'>): string {
  const reason = message.replace(QUEUED, '');
  return `Queued. ${reason === '' ? 'It starts when a worker is free.' : reason}`;
}
