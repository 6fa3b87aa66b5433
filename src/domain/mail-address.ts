import { hint } from './hint.ts';

/** An address of mail in place of a URL. */
export const MAIL = /^mailto:|^[^\s/@:]{1,64}@[\w.-]{1,255}$/i;

/** The fix for an address that should get the end of a job. */
export const NO_MAIL = hint`Leave it out: no mail is sent, so for the end of the job ${{ do: 'wait-for-job', jobId: 'JOB_ID' }}.`;
