const ASCII = /^[ -~]*$/;

/** Returns the same text for all paths that a disk which ignores case or Unicode normal forms may treat as one. */
export const foldName = (path: string): string => (ASCII.test(path) ? path : path.normalize('NFC')).toLowerCase();
