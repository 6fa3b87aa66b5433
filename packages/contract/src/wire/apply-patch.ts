import { isDeepStrictEqual } from 'node:util';
import { keysOf, parentOf, valueAt } from './json-pointer.ts';
import type { PatchOperation } from './problem.ts';

/** Whether a JSON value is an object or a list. */
export const isContainer = (value: unknown): value is Record<string, unknown> | unknown[] =>
  typeof value === 'object' && value !== null;

/**
 * A copy of a JSON value with the patches of several errors applied (RFC 6902). A patch is left out if an earlier patch has changed the
 * same member. If two patches remove the same member and set different ones, the second is left out. Equal operations run once.
 */
export function applyPatches(value: unknown, patches: readonly (readonly PatchOperation[])[]): unknown {
  const copy: unknown = structuredClone(value);
  const done: PatchOperation[] = [];
  const applied: (readonly PatchOperation[])[] = [];
  for (const patch of patches) {
    if (applied.some((one) => isAlternative(one, patch))) continue;
    const left = patch.filter((operation) => !done.some((one) => isDeepStrictEqual(one, operation)));
    const isChanged = ({ path }: PatchOperation): boolean =>
      done.some((one) => isWithin(path, one.path) || isWithin(one.path, path));
    if (left.some(isChanged)) continue;
    done.push(...left);
    applied.push(patch);
  }
  // Remove the last elements first, because a removal moves the elements after it.
  const removals = done.filter(({ op }) => op === 'remove').sort((a, b) => elementOf(b.path) - elementOf(a.path));
  for (const operation of [...done.filter(({ op }) => op !== 'remove'), ...removals]) applyOperation(copy, operation);
  return copy;
}

/** Whether two patches remove the same member but set different members for it. */
function isAlternative(one: readonly PatchOperation[], other: readonly PatchOperation[]): boolean {
  const [set, otherSet] = [one, other].map((patch) => patch.filter(({ op }) => op !== 'remove'));
  const isCommon = one.some(
    (operation) => operation.op === 'remove' && other.some((same) => isDeepStrictEqual(same, operation)),
  );
  return isCommon && set?.length !== 0 && otherSet?.length !== 0 && !isDeepStrictEqual(set, otherSet);
}

const elementOf = (path: string): number => Number(/\/(\d+)$/.exec(path)?.[1] ?? -1);

const isWithin = (path: string, other: string): boolean => path === other || path.startsWith(`${other}/`);

function applyOperation(value: unknown, operation: PatchOperation): void {
  const name = keysOf(operation.path).at(-1);
  const parent = valueAt(value, parentOf(operation.path));
  if (name === undefined || !isContainer(parent)) return;
  if (operation.op === 'remove') {
    if (Array.isArray(parent)) parent.splice(Number(name), 1);
    else Reflect.deleteProperty(parent, name);
  }
  // Do not assign: an assignment to "__proto__" would not create a member.
  else
    Object.defineProperty(parent, name, {
      value: operation.value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
}
