import { pointerKey, pointerToken } from '../domain/problem.ts';
import { memberAt } from '../domain/structured-values.ts';

/** The JSON Pointer of a path of names and indices. */
export const pointerOf = (path: readonly PropertyKey[]): string =>
  path.map((key) => `/${pointerToken(String(key))}`).join('');

/** The names and indices in a JSON Pointer. */
export const keysOf = (pointer: string): readonly string[] => pointer.split('/').slice(1).map(pointerKey);

export const parentOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf('/'));

/** The value that a JSON Pointer leads to. undefined: there is no such value. */
export const valueAt = (body: unknown, pointer: string): unknown => memberAt(body, keysOf(pointer));

/** The name of a field in a message: `"crf"`, `"inputs[2]"`, `The body`. Long names are truncated. */
export function nameOf(path: readonly PropertyKey[]): string {
  const last = path.findLastIndex((key) => typeof key === 'string');
  if (last < 0) return 'The body';
  const key = String(path[last]);
  const shown = key.length > 60 ? `${key.slice(0, 60)}…` : key;
  return JSON.stringify(
    `${shown}${path
      .slice(last + 1)
      .map((i) => `[${String(i)}]`)
      .join('')}`,
  );
}
