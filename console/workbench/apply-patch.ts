import type { FieldError } from '@telecine/client';

/** A JSON Patch (RFC 6902) with the kinds of operations that the service sends. */
export type Patch = NonNullable<FieldError['apply']>;

/** Returns a copy of a request with a patch applied. Skips operations whose place no longer exists, because the request has changed. */
export function applyPatch<T>(request: T, patch: Patch): T {
  const copy: unknown = structuredClone(request);
  for (const operation of patch) {
    const keys = operation.path.split('/').slice(1).map(nameOfSegment);
    const name = keys.pop();
    const parent = keys.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), copy);
    if (name === undefined || !isObject(parent)) continue;
    if (operation.op !== 'remove') parent[name] = operation.value;
    else if (Array.isArray(parent)) parent.splice(Number(name), 1);
    else delete parent[name];
  }
  return copy as T;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Decodes a segment of a JSON Pointer (RFC 6901). */
export const nameOfSegment = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~');

/** The text of the button that applies a patch: `Use crf: 23`, `Remove bv`, `Use b:v: 8M`. */
export function patchText(patch: Patch): string {
  const nameOf = (path: string): string =>
    path
      .split('/')
      .slice(1)
      .map(nameOfSegment)
      .findLast((key) => !/^\d+$/.test(key)) ?? '';
  const set = patch.flatMap((one) => (one.op === 'remove' ? [] : [`${nameOf(one.path)}: ${valueText(one.value)}`]));
  return set.length > 0 ? `Use ${set.join(', ')}` : `Remove ${patch.map(({ path }) => nameOf(path)).join(', ')}`;
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text === '') return 'on';
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1)}…`;
}

const MAX_TEXT = 60;
