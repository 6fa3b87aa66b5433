import { SEARCH_LIMITS, searchWords } from '../domain/job-search.ts';
import { issue, text } from './described-schemas.ts';

/** The words of a search of jobs. */
export const searchText = text(
  'Only jobs that have all these words, in upper or lower case, anywhere in a path, a name, the client, the id, the recipe, an ' +
    'error or a value of `metadata`. Quotes keep words together: `"take 2"`.',
  'holiday mp4',
)
  .max(SEARCH_LIMITS.length)
  .superRefine((q, { addIssue }) => {
    const { length } = searchWords(q);
    if (length > SEARCH_LIMITS.words)
      addIssue(
        issue(
          [],
          'TOO_MANY',
          `The search has ${length} words; at most ${SEARCH_LIMITS.words} are allowed.`,
          'Send fewer words, or put quotes around words that follow each other.',
        ),
      );
  });
