import { issue, text } from './described-schemas.ts';

/** What a search allows and how it is divided. */
interface Search {
  readonly description: string;
  readonly example: string;
  /** The most characters and words. */
  readonly limits: { readonly length: number; readonly words: number };
  readonly wordsOf: (q: string) => readonly string[];
  /** Whether a search needs a word. */
  readonly needsWord?: true;
}

/** The words of a search, as `q` has them. */
export const searchWordsText = ({ description, example, limits, wordsOf, needsWord }: Search) =>
  text(description, example)
    .max(limits.length)
    .superRefine((q, { addIssue }) => {
      const { length } = wordsOf(q);
      if (length === 0 && needsWord === true) addIssue(issue([], 'EMPTY', '"q" has no words.'));
      if (length > limits.words)
        addIssue(issue([], 'TOO_MANY', `"q" has ${length} words; at most ${limits.words} are allowed.`));
    });
