import { SEARCH_LIMITS, searchWords } from '../domain/job-search.ts';
import { searchWordsText } from './search-words.ts';

/** The words of a search of jobs. */
export const searchText = searchWordsText({
  description:
    'Only jobs that have all these words, in upper or lower case, anywhere in a path, a name, the client, the id, the recipe, an ' +
    'error or a value of `metadata`. Quotes keep words together: `"take 2"`.',
  example: 'holiday mp4',
  limits: SEARCH_LIMITS,
  wordsOf: searchWords,
});
