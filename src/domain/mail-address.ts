import { leaveOut } from './edit.ts';
import type { EditsWithAction } from './hint.ts';

/** An address of mail in place of a URL. */
export const MAIL = /^mailto:|^[^\s/@:]{1,64}@[\w.-]{1,255}$/i;

/** The fix for an address that should get the end of a job. */
export const NO_MAIL: EditsWithAction = {
  ...leaveOut(undefined, 'no mail is sent'),
  note: 'For the end of the job:',
  action: { do: 'wait-for-job', jobId: 'JOB_ID' },
};
