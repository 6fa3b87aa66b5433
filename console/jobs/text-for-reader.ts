import type { Job } from '@telecine/client';
import { fixText } from '../ui/fix-text.ts';

/**
 * A text of the service about a job. The text speaks to `owner`, the client of the job. If another client reads it, such as an administrator, it names
 * whose folder is meant. `reader`: undefined while the session is not read.
 */
export const textForReader = (text: string, owner: string, reader: string | undefined): string =>
  owner === reader ? text : text.replaceAll('your media root', () => `the media root of ${owner}`);

/** Why a job failed, and what to do about it, for the client `reader`. undefined: the job has no error. */
export function failureText(
  { error, client }: Pick<Job, 'error' | 'client'>,
  reader: string | undefined,
): { readonly message: string; readonly fix?: string } | undefined {
  if (error === undefined) return undefined;
  const { message, fix } = error;
  return {
    message: textForReader(message, client, reader),
    ...(fix !== undefined && { fix: textForReader(fixText(fix), client, reader) }),
  };
}
