import { type Edits, leaveOut, sendIn, sendMember, withMore } from '../domain/edit.ts';
import { isMembers, memberAt } from '../domain/structured-values.ts';
import { bareWord } from '../domain/synonyms/value-words.ts';
import { hasUrl } from './explain-files.ts';
import { knownKeys, schemaAt } from './schema-at.ts';

/* The fixes for a field at a wrong depth: `{"silence": {"marginSeconds": 0.2}}` and `{"silence": {}, "noiseDb": -40}`. */

type Schema = Parameters<typeof schemaAt>[0];

/** Field names that several objects use with different meanings. */
const OF_MANY_OBJECTS: ReadonlySet<string> = new Set(['format', 'metadata', 'parameters', 'preset']);

/** The maximum length of a fix in characters. */
const MAX_LENGTH = 1000;

const fieldNamed = (key: string, known: readonly string[]): string | undefined =>
  known.find((name) => bareWord(name) === bareWord(key) && !OF_MANY_OBJECTS.has(name));

/** The fix for an unknown field that belongs to an outer object, or to an object beside it. `path`: the path of the field in `root`. */
export function misplacedFieldFix(schema: Schema, path: readonly PropertyKey[], root: unknown): Edits | undefined {
  const fix = inObjectAround(schema, path, root) ?? inObjectBeside(schema, path, root);
  return fix === undefined || JSON.stringify(fix.edits).length > MAX_LENGTH || hasUrl(fix.edits) ? undefined : fix;
}

function inObjectAround(schema: Schema, path: readonly PropertyKey[], root: unknown): Edits | undefined {
  const key = String(path.at(-1));
  for (let end = path.length - 2; end >= 0; end -= 1) {
    const around = path.slice(0, end);
    const child = path[end];
    const name = fieldNamed(key, knownKeys(schemaAt(schema, around)));
    if (typeof child !== 'string' || name === undefined) continue;
    if (name === child) return undefined;
    const [value, set] = [path, [...around, name]].map((at) => memberAt(root, at));
    if (set === undefined) return sendIn({ beside: child }, name, value);
    return JSON.stringify(set) === JSON.stringify(value)
      ? leaveOut(undefined, `it is next to ${JSON.stringify(child)} already`)
      : undefined;
  }
  return undefined;
}

/** The fix that moves all misplaced fields of an object into one of its members. The errors about these fields share the fix. */
function inObjectBeside(schema: Schema, path: readonly PropertyKey[], root: unknown): Edits | undefined {
  const parentPath = path.slice(0, -1);
  const known = knownKeys(schemaAt(schema, parentPath));
  const parent = memberAt(root, parentPath);
  const key = String(path.at(-1));
  if (!isMembers(parent)) return undefined;
  const found = known.flatMap((child) => {
    const own = knownKeys(schemaAt(schema, [...parentPath, child]));
    const value = parent[child];
    return isMembers(value) && fieldNamed(key, own) !== undefined ? [{ child, own, value }] : [];
  });
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) return undefined;
  const moved = Object.entries(parent).flatMap(([sent, value]): [string, unknown][] => {
    const name = known.includes(sent) ? undefined : fieldNamed(sent, only.own);
    return name === undefined ? [] : [[name, value]];
  });
  const isSet = moved.some(([name]) => Object.hasOwn(only.value, name));
  return isSet
    ? undefined
    : withMore(sendMember(only.child, { ...only.value, ...Object.fromEntries(moved) }), { do: 'remove', name: key });
}
