import type { Job } from '../domain/job.ts';
import { Problem } from '../domain/problem.ts';
import { isUrl } from '../domain/url-input.ts';
import { parseDuration } from '../ffmpeg/values/duration.ts';

/** The first input of a job, and where the converted part of it begins. Throws UNSUPPORTED if it was fetched from a URL. */
export function firstInput({ request }: Job): { readonly path: string; readonly offset?: number } {
  const first = request.inputs?.[0] ?? request.input ?? '';
  const path = typeof first === 'string' ? first : first.input;
  if (isUrl(path))
    throw new Problem('UNSUPPORTED', 'The input of this job was fetched from a URL, and is not kept.', {
      fix: 'Ask for the output alone.',
    });
  const own = typeof first === 'string' ? undefined : first.parameters?.['ss'];
  const start = own ?? request.parameters?.['ss'];
  const offset = typeof start === 'string' ? parseDuration(start) : undefined;
  return { path, ...(offset !== undefined && offset > 0 && { offset }) };
}
