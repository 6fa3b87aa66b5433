/** Whether the bundle in `dist` was built from the sources of `tree` as they are now. */
export function isBundleCurrent(tree: string): boolean;

/** The time of the last change and the size of a file, for `dist/sources.json`. Throws if there is no such file. */
export function stampOf(file: string): string;
