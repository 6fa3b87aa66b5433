import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';

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
  const [first] = faults(text);
  if (first === undefined) return 'it cannot be read';
  const before = text.slice(0, first.offset);
  const line = before.split('\n').length;
  const column = first.offset - before.lastIndexOf('\n');
  return `${MEANING[printParseErrorCode(first.error)] ?? 'a fault'} at line ${line}, column ${column}`;
}

function faults(text: string): readonly ParseError[] {
  const found: ParseError[] = [];
  try {
    parse(text, found, { disallowComments: true, allowTrailingComma: false });
  } catch {
    // Nested too deep for a parser that recurses; what it found on its way stands.
  }
  return found;
}
