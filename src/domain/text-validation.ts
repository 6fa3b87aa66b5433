/** What is wrong with text, wherever it stands; a part of a `FieldError`. */
interface OddText {
  readonly code: 'BAD_ENCODING' | 'CONTROL_CHARACTER';
  readonly message: string;
  readonly fix: string;
}

/** Half of a surrogate pair. `what` holds it: the start of a sentence, such as "The path". */
export const badEncoding = (what: string): OddText => ({
  code: 'BAD_ENCODING',
  message: `${what} holds a lone surrogate, which is no valid Unicode text.`,
  fix: 'Send the whole pair (\\ud83d\\ude00), or the character itself as UTF-8.',
});

/** Which control characters are let through differs from place to place; `fix` says what to send instead. */
export const controlCharacter = (what: string, fix = 'Leave it out.'): OddText => ({
  code: 'CONTROL_CHARACTER',
  message: `${what} holds a control character (NUL, escape or the like).`,
  fix,
});

/** C0 and C1 controls, DEL, and the marks that turn the direction of text: they forge what a terminal shows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A stranger's text with blanks in the place of those. */
export const plainText = (text: string): string => text.replace(CONTROL, ' ');
