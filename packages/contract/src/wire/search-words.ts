import { issue, text } from './described-schemas.ts';

/** What a search allows and how it is divided. */
interface Search {
  readonly description: string;
  readonly example: string;
  /** The most characters and words. */
  readonly limits: { readonly length: number; readonly words: number };
  readonly wordsOf: (q: string) => readonly string[];
  /** How to send fewer words. */
  readonly fewer: string;
  /** What to send instead of a search without words. undefined: such a search is allowed. */
  readonly otherThanEmpty?: string;
}

/** The words of a search, as `q` has them. */
export const searchWordsText = ({ description, example, limits, wordsOf, fewer, otherThanEmpty }: Search) =>
  text(description, example)
    .max(limits.length)
    .superRefine((q, { addIssue }) => {
      const { length } = wordsOf(q);
      if (length === 0 && otherThanEmpty !== undefined)
        addIssue(issue([], 'EMPTY', '"q" has no words.', otherThanEmpty));
      if (length > limits.words)
        addIssue(issue([], 'TOO_MANY', `"q" has ${length} words; at most ${limits.words} are allowed.`, fewer));
    });
