// Decides whether a checkout starts from its bundle, which takes half as long as from its sources.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Whether the bundle in `dist` was built from the sources of `tree` as they are now. */
export function isBundleCurrent(tree) {
  try {
    const stamps = JSON.parse(readFileSync(join(tree, 'dist/sources.json'), 'utf8'));
    return Object.entries(stamps).every(([path, stamp]) => stampOf(join(tree, path)) === stamp);
  } catch {
    // There is no bundle, or one of its sources was removed.
    return false;
  }
}

/** Changes with each change of the file, if it is not within the same millisecond and leaves the size. */
export function stampOf(file) {
  const { mtimeMs, size } = statSync(file);
  return `${mtimeMs} ${size}`;
}
