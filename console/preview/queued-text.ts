import type { Job } from '@telecine/client';

const QUEUED = /^The job is queued for processing\.\s*/;

/** A text for a queued job, with the reason why it does not start if the service knows it. */
export function queuedText({ message }: Pick<Job, 'message'>): string {
  const reason = message.replace(QUEUED, '');
  return `Queued. ${reason === '' ? 'It starts when a worker is free.' : reason}`;
}
