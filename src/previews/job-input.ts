import { pathOfInput } from '../domain/conversion.ts';
import type { Job } from '../domain/job.ts';
import { Problem } from '../domain/problem.ts';
import { isUrl } from '../domain/url-input.ts';
import { parseDuration } from '../ffmpeg/values/duration.ts';

/**
 * The first file among the inputs of a job, and where the converted part of it begins. Throws UNSUPPORTED if it was fetched from a
 * URL, and if no input is a file.
 */
export function firstInput({ request }: Job): { readonly path: string; readonly offset?: number } {
  const inputs = request.inputs ?? [request.input ?? ''];
  const first = inputs.find((one) => pathOfInput(one) !== undefined);
  const path = first && pathOfInput(first);
  if (first === undefined || path === undefined)
    throw new Problem('UNSUPPORTED', 'No input of this job is a file.', { fix: 'Ask for the output alone.' });
  if (isUrl(path))
    throw new Problem('UNSUPPORTED', 'The input of this job was fetched from a URL, and is not kept.', {
      fix: 'Ask for the output alone.',
    });
  const own = typeof first === 'string' ? undefined : first.parameters?.['ss'];
  const start = own ?? request.parameters?.['ss'];
  const offset = typeof start === 'string' ? parseDuration(start) : undefined;
  return { path, ...(offset !== undefined && offset > 0 && { offset }) };
}
