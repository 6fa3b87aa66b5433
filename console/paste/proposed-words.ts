import type { FieldError } from '@telecine/client';

/** A value that a shell reads as it is. */
const PLAIN = /^[\w.:,/+=@%-]+$/;

/**
 * What to write in place of an option of a command, by the patch that the service proposes: `-tune film` for `-tune flm`. undefined: the patch
 * is more than another value of this option.
 */
export function proposedWords(words: string, patch: NonNullable<FieldError['apply']>): string | undefined {
  const [operation, ...others] = patch;
  const [, name, value] = /^(-\S+\s+)(\S+)$/.exec(words) ?? [];
  if (operation === undefined || others.length > 0 || operation.op === 'remove' || name === undefined) return undefined;
  const { value: proposed } = operation;
  const isOther = typeof proposed === 'string' && PLAIN.test(proposed) && proposed !== value;
  return isOther ? name + proposed : undefined;
}
