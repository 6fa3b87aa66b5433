/** An error in a text, as a part of a `FieldError`. */
interface TextError {
  readonly code: 'BAD_ENCODING' | 'CONTROL_CHARACTER';
  readonly message: string;
}

/** The error for a lone surrogate (half of a pair). `what` starts the sentence, such as "The path". */
export const badEncoding = (what: string): TextError => ({
  code: 'BAD_ENCODING',
  message: `${what} contains a lone surrogate, which is not valid Unicode.`,
});

/** The error for a control character. Each field decides which control characters it allows. */
export const controlCharacter = (what: string): TextError => ({
  code: 'CONTROL_CHARACTER',
  message: `${what} contains a control character (such as NUL or escape).`,
});

/** Decodes the escapes in a part of a URL. Returns the text unchanged if an escape is invalid. */
export function decodedUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** C0 and C1 controls, DEL and marks that change the text direction. They can falsify the display of a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu;

/** Replaces control characters and direction marks in an untrusted text with spaces. */
export const plainText = (text: string): string => text.replace(CONTROL, ' ');

/** Shows control characters, except line ends and tabs, and direction marks as escapes, which are also right in a text of JSON. */
export const escapeControls = (text: string): string =>
  text.replace(CONTROL, (mark) =>
    mark === '\n' || mark === '\t' ? mark : `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
