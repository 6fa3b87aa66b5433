/** `a`, `a and b`, or `a, b and c`. */
export const andList = (words: readonly string[]): string => words.join(', ').replace(/, ([^,]*)$/, ' and $1');
