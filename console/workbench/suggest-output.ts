import { isStored } from '../media/media-address.ts';
import { NO_WORDS, type OutputWords } from './output-words.ts';

/**
 * Suggests the path of an output: next to the first input, with the same name, what is done (`clip-8MB.mp4`), and the extension of the output,
 * but never the input itself. If the input is a URL or in a bucket, the output is at the top of the media root.
 */
export function suggestOutput(input: string | undefined, extension: string, words: OutputWords = NO_WORDS): string {
  const path = isStored(input ?? '')
    ? (input ?? '')
    : (pathOfUrl(input ?? '')
        .split('/')
        .at(-1) ?? '');
  const stem = path.replace(/\.[^./]*$/, '') || 'output';
  const output = `${stem}${words.values === '' ? '' : `-${words.values}`}.${extension}`;
  return output === input ? `${stem}-${words.instead}.${extension}` : output;
}

const pathOfUrl = (url: string): string => {
  try {
    return decodeURIComponent(new URL(url).pathname);
  } catch {
    return '';
  }
};
