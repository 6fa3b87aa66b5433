/**
 * How inputs are joined to one, each after the one before it. `copy`: their packets, unchanged, which works for files of the
 * same kind. `encode`: their pictures and sounds, made alike by filters.
 */
export const JOINS = ['copy', 'encode'] as const;
export type Join = (typeof JOINS)[number];
