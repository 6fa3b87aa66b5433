import { isStored } from '../media/media-address.ts';

/**
 * Suggests the path of an output: next to the first input, with the same name and the extension of the output, but never the input itself.
 * If the input is a URL or in a bucket, the output is at the top of the media root.
 */
export function suggestOutput(input: string | undefined, extension: string): string {
  const path = isStored(input ?? '')
    ? (input ?? '')
    : (pathOfUrl(input ?? '')
        .split('/')
        .at(-1) ?? '');
  const stem = path.replace(/\.[^./]*$/, '') || 'output';
  const output = `${stem}.${extension}`;
  return output === input ? `${stem}-converted.${extension}` : output;
}

const pathOfUrl = (url: string): string => {
  try {
    return decodeURIComponent(new URL(url).pathname);
  } catch {
    return '';
  }
};
