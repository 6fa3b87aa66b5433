import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';

const MEANING: Readonly<Record<string, string>> = {
  InvalidSymbol: 'an unknown word or sign (names and texts stand in double quotes)',
  InvalidNumberFormat: 'a malformed number',
  PropertyNameExpected: 'a name in double quotes is expected',
  ValueExpected: 'a value is expected',
  ColonExpected: 'a colon is expected',
  CommaExpected: 'a comma is expected',
  CloseBraceExpected: 'a closing brace is expected',
  CloseBracketExpected: 'a closing bracket is expected',
  EndOfFileExpected: 'something stands after the end',
  InvalidCommentToken: 'a comment, which JSON does not have',
  UnexpectedEndOfComment: 'a comment, which JSON does not have',
  UnexpectedEndOfString: 'a text without its closing quote',
  UnexpectedEndOfNumber: 'a malformed number',
  InvalidUnicode: 'a malformed \\u escape',
  InvalidEscapeCharacter: 'an unknown escape in a text',
  InvalidCharacter: 'a raw control character in a text',
};

/**
 * What is wrong with a text that JSON.parse refused, and where. Not taken from JSON.parse's own message: it
 * often names no place, and quotes the text.
 */
export function locateFault(text: string): string {
  if (text.trim() === '') return 'it is empty';
  const first = firstFault(text);
  if (first === undefined) return 'it cannot be read';
  const { line, column } = placeOf(text, first.offset);
  return `${MEANING[printParseErrorCode(first.error)] ?? 'a fault'} at line ${line}, column ${column}`;
}

interface Fault {
  readonly error: ParseErrorCode;
  readonly offset: number;
}

/** The reader goes on after a fault, and would find a million more in a hostile text: it is thrown out at the first. */
function firstFault(text: string): Fault | undefined {
  let found: Fault | undefined;
  try {
    visit(
      text,
      {
        onError: (error, offset) => {
          found = { error, offset };
          throw found;
        },
      },
      { disallowComments: true, allowTrailingComma: false },
    );
  } catch {
    // Ours, or the end of the stack in a text that is nested too deep.
  }
  return found;
}

function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  return { line, column: offset - start + 1 };
}
