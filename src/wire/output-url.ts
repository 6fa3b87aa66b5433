import { jobPath } from './addresses.ts';

/** What a signed link is good for: one output of one job. */
export const outputSubject = (jobId: string, path: string): string => JSON.stringify(['output', jobId, path]);

/** The address of an output for who holds a link to it; `base`: of the service, '' for a path alone. */
export const outputUrl = (
  base: string,
  jobId: string,
  path: string,
  link: { readonly [part in 'client' | 'issued' | 'expires' | 'key' | 'signature']: string },
): string => `${base}${jobPath(jobId)}/output?${new URLSearchParams({ path, ...link })}`;
