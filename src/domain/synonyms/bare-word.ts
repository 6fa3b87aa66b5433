/** A word without case, spaces, dashes, underscores and dots. */
export const bareWord = (word: string): string => word.toLowerCase().replaceAll(/[\s._-]/g, '');

/** The rows of a table for words, separated by spaces, that all have one meaning. */
export const sameMeaning = <T>(words: string, meaning: T): readonly [string, T][] =>
  words.split(' ').map((word) => [word, meaning]);
