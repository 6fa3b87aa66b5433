import { pointerKey } from '../domain/problem.ts';
import type { PatchOperation } from './patch.ts';

type Container = Record<string, unknown> | unknown[];

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

/**
 * A copy of JSON with the patches of several errors (RFC 6902). A patch of a member that one before it has changed is left out: it
 * was made for the value before.
 */
export function applyPatches(value: unknown, patches: readonly (readonly PatchOperation[])[]): unknown {
  const copy: unknown = structuredClone(value);
  const changed: string[] = [];
  for (const patch of patches) {
    const paths = patch.map(({ path }) => path);
    if (paths.some((path) => changed.some((one) => isWithin(path, one) || isWithin(one, path)))) continue;
    changed.push(...paths);
    for (const operation of patch) applyOperation(copy, operation);
  }
  return copy;
}

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
