import type { Job } from '@telecine/client';
import { type Draft, EMPTY_DRAFT } from './draft.ts';

/** What the workbench says about a request that was opened from elsewhere. */
export interface OpenedJob {
  /** The draft that the request has replaced. undefined: it was empty. */
  readonly replaced?: Draft | undefined;
  /** The job whose request it is. */
  readonly job?: Pick<Job, 'jobId' | 'status' | 'error'>;
}

/** By client. It is lost by a reload: then the draft is the user's own. */
const opened = new Map<string, OpenedJob>();

/** Remembers where the next draft of a client comes from. */
export function storeOpened(clientId: string, { replaced, job }: OpenedJob): void {
  const isEmpty = replaced === undefined || JSON.stringify(replaced) === JSON.stringify(EMPTY_DRAFT);
  opened.set(clientId, { ...(!isEmpty && { replaced }), ...(job && { job }) });
}

/** Where the draft of a client comes from. undefined: the user has made it. */
export const readOpened = (clientId: string): OpenedJob | undefined => opened.get(clientId);

export const forgetOpened = (clientId: string): void => void opened.delete(clientId);
