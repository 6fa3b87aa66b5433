import { z } from 'zod';

/** Creates a schema that reads a text like a setting. */
export const readBy = <T>(read: (text: string) => T) =>
  z.string('must be a text').transform((text, context) => {
    try {
      return read(text);
    } catch (error) {
      context.addIssue(error instanceof Error ? error.message : String(error));
      return z.NEVER;
    }
  });

export const nonEmpty = z.string('must be a text').min(1, 'must not be empty');

/** Parses JSON. Throws an `Error` that does not repeat the text, which may contain secrets. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('must be JSON');
  }
}

/** All errors of a JSON value in one line, without values. `entry`: the schema of its objects, for the allowed fields. */
export const issuesText = ({ issues }: z.ZodError, entry: z.ZodObject): string =>
  issues
    .map(({ path, message, ...issue }) => {
      const [key, ...fields] = path.map(String);
      const where = key === undefined ? '' : `${[JSON.stringify(key), ...fields].join(' ')} `;
      if (issue.code === 'unrecognized_keys')
        return `${where}has the unknown field "${issue.keys.join('", "')}"; allowed: ${Object.keys(entry.shape).join(', ')}`;
      return `${where}${message}`;
    })
    .join('; ');
