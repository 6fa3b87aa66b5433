import { type Edits, sendMembers } from '../domain/edit.ts';

/** The fix for two files to compare. The original is first. undefined for other lists. */
export function comparedFix([left, right, ...others]: readonly unknown[]): Edits | undefined {
  const isPair = typeof left === 'string' && typeof right === 'string' && others.length === 0;
  return isPair ? sendMembers({ input: right, original: left }) : undefined;
}
