import { isDeepStrictEqual } from 'node:util';
import { pointerKey } from '../domain/problem.ts';
import type { PatchOperation } from './problem.ts';

type Container = Record<string, unknown> | unknown[];

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

/**
 * A copy of JSON with the patches of several errors (RFC 6902). A patch of a member that one before it has changed is left out: it
 * was made for the value before. What several have in common is done once: two wrong words with one fix are both removed. But of two that
 * give what they remove other names, the first counts.
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
  // The last elements first, because a removal moves those after it.
  const removals = done.filter(({ op }) => op === 'remove').sort((a, b) => elementOf(b.path) - elementOf(a.path));
  for (const operation of [...done.filter(({ op }) => op !== 'remove'), ...removals]) applyOperation(copy, operation);
  return copy;
}

/** Whether two patches remove the same member, and set other values for it. */
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
  const keys = operation.path.split('/').slice(1).map(pointerKey);
  const name = keys.pop();
  const parent = keys.reduce<unknown>(
    (at, key) => (isContainer(at) && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined),
    value,
  );
  if (name === undefined || !isContainer(parent)) return;
  if (operation.op === 'remove') {
    if (Array.isArray(parent)) parent.splice(Number(name), 1);
    else Reflect.deleteProperty(parent, name);
  }
  // An assignment to "__proto__" would not be a member.
  else
    Object.defineProperty(parent, name, {
      value: operation.value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
}
