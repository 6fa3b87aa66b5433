/**
 * The path of an output while the person has typed none: the name of the first input beside it, with the extension of the output, and
 * never the input itself. Inputs from elsewhere get an output at the top of the media root.
 */
export function suggestOutput(input: string | undefined, extension: string): string {
  const isElsewhere = /^[a-z][a-z0-9+.-]*:\/\//i.test(input ?? '');
  const path = isElsewhere
    ? (pathOfUrl(input ?? '')
        .split('/')
        .at(-1) ?? '')
    : (input ?? '');
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
