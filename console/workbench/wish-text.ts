import { readPhrase } from '../../packages/contract/src/domain/phrase-values.ts';
import { WISH_SEPARATOR } from './wish.ts';

/** The search for a wish, with the times, sizes and other values of an earlier search: `animated GIF, seconds 2 to 5`. */
export const wishText = (wish: string, earlier: string): string =>
  [wish, ...readPhrase(earlier).map(({ text }) => text)].join(WISH_SEPARATOR);
