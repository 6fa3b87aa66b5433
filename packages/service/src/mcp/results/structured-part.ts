import { isMembers } from '@telecine/contract/domain/structured-values.ts';

/** Members whose texts programs need. */
const NEEDED = /(?:Id|Ids|Cursor)$|^(?:status|state|code|path|url)$/;

/** Returns the ids, states, paths, links and numbers of a result. The text of the result has the rest. */
export const structuredPart = (result: object): Record<string, unknown> => ({ ...Object(partOf(result, '')) });

/** The needed part of a value. undefined: none of it is needed. */
function partOf(value: unknown, name: string): unknown {
  if (typeof value === 'string') return NEEDED.test(name) ? value : undefined;
  if (Array.isArray(value)) {
    const parts = value.flatMap((one) => partOf(one, name) ?? []);
    return parts.length === 0 ? undefined : parts;
  }
  if (!isMembers(value)) return value ?? undefined;
  const members = Object.entries(value).flatMap(([key, one]) => {
    const part = partOf(one, key);
    return part === undefined ? [] : [[key, part]];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}
