import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished } from 'vitest';

/**
 * Replaces a function of `node:fs/promises` until the test ends, or until the returned function is called. It changes the module for all
 * importers: files that share a process share their modules, so a mock would come too late.
 */
export function replaceFsCall<K extends 'link' | 'lstat' | 'open' | 'realpath' | 'statfs' | 'rename' | 'unlink'>(
  name: K,
  replace: (original: (typeof fs)[K]) => (typeof fs)[K],
): () => void {
  const original = fs[name];
  const set = (value: (typeof fs)[K]): void => {
    fs[name] = value;
    syncBuiltinESMExports();
  };
  const restore = (): void => set(original);
  onTestFinished(restore);
  set(replace(original));
  return restore;
}
