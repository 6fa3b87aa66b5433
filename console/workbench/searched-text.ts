import { FILE_SEARCH, fileSearchWords } from '../../packages/contract/src/domain/file-search.ts';
import { isPreviewPath } from '../preview/preview-job.ts';

/** The least characters of a name that are searched in all folders. */
const SHORTEST = 2;

/** Whether a text is searched in all folders. */
export function isFileSearch(text: string): boolean {
  const { length } = fileSearchWords(text);
  const isShort = text.length <= FILE_SEARCH.length && length <= FILE_SEARCH.words;
  return text.length >= SHORTEST && isShort && length > 0 && !text.endsWith('/');
}

/** Whether a file is suggested for a text: a preview only if the user has typed its folder. */
export const isOffered = (path: string, text: string): boolean =>
  isPreviewPath(text) || !isPreviewPath(path.replace(/\/$/, ''));
