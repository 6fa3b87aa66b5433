import { expect } from 'vitest';
import { type Edits, editsText } from '../../packages/contract/src/domain/edit.ts';

/** A fix that is data equals the sentence that clients get of it, so that tests say what clients read. */
expect.addEqualityTesters([
  (a: unknown, b: unknown): boolean | undefined => {
    const [fix, text] = typeof a === 'string' ? [b, a] : [a, b];
    if (typeof text !== 'string' || typeof fix !== 'object' || fix === null || !('edits' in fix)) return undefined;
    return editsText(fix as Edits) === text;
  },
]);
