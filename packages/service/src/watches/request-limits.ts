import { requestedOutputs } from '@telecine/contract/domain/conversion.ts';
import { MAX_NAME_BYTES, MAX_PATH_BYTES } from '@telecine/contract/domain/media-path.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { WATCH_LIMITS, type WatchRequest } from '@telecine/contract/domain/watch.ts';

const tooLong = (field: string, what: string, max: number): FieldError => ({
  ...{ field, code: 'TOO_LONG' },
  message: `${what}. At most ${max} are allowed.`,
});

/**
 * The errors of a request of a watch that is too large, or whose outputs have too long paths. Everything else that a client sends with it
 * multiplies its size: files, patterns and other watches.
 */
export function limitErrors(request: WatchRequest): readonly FieldError[] {
  const bytes = Buffer.byteLength(JSON.stringify(request));
  if (bytes > WATCH_LIMITS.requestBytes)
    return [tooLong('/request', `The request of the watch has ${bytes} bytes as JSON`, WATCH_LIMITS.requestBytes)];
  return requestedOutputs(request).flatMap(({ path, field }) => outputErrors(path, `/request${field}`));
}

function outputErrors(template: string, field: string): readonly FieldError[] {
  const bytes = Buffer.byteLength(template);
  if (bytes > MAX_PATH_BYTES) return [tooLong(field, `The path has ${bytes} bytes`, MAX_PATH_BYTES)];
  const longest = Math.max(...namesOf(template).map((name) => Buffer.byteLength(name)));
  if (longest <= MAX_NAME_BYTES) return [];
  return [tooLong(field, `A name in the path has ${longest} bytes without its placeholders`, MAX_NAME_BYTES)];
}

/** The fixed text of each name in a template. `{folder}` has a slash at its end. */
const namesOf = (template: string): readonly string[] =>
  template.split(/\/|\{folder\}/).map((name) => name.replaceAll(/\{[a-z]+\}/g, ''));
