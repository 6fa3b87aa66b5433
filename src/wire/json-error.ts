import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';

const MEANING: Readonly<Record<string, string>> = {
  InvalidSymbol: 'an unknown word or sign (names and strings need double quotes)',
  InvalidNumberFormat: 'a malformed number',
  PropertyNameExpected: 'a name in double quotes was expected',
  ValueExpected: 'a value was expected',
  ColonExpected: 'a colon was expected',
  CommaExpected: 'a comma was expected',
  CloseBraceExpected: 'a closing brace was expected',
  CloseBracketExpected: 'a closing bracket was expected',
  EndOfFileExpected: 'content after the end of the document',
  InvalidCommentToken: 'a comment, which JSON does not allow',
  UnexpectedEndOfComment: 'a comment, which JSON does not allow',
  UnexpectedEndOfString: 'a string without its closing quote',
  UnexpectedEndOfNumber: 'a malformed number',
  InvalidUnicode: 'a malformed \\u escape',
  InvalidEscapeCharacter: 'an unknown escape in a string',
  InvalidCharacter: 'a raw control character in a string',
};

/**
 * Describes the first error in a text that JSON.parse rejects, with line and column. The message of JSON.parse is not
 * used: it often has no position, and it quotes the text.
 */
export function describeJsonError(text: string): string {
  if (text.trim() === '') return 'it is empty';
  const first = firstError(text);
  if (first === undefined) return 'it cannot be parsed';
  const { line, column } = positionOf(text, first.offset);
  return `${MEANING[printParseErrorCode(first.error)] ?? 'an error'} at line ${line}, column ${column}`;
}

interface JsonError {
  readonly error: ParseErrorCode;
  readonly offset: number;
}

/** Throws inside the callback to stop the parser at the first error: a hostile text can have a million errors. */
function firstError(text: string): JsonError | undefined {
  let found: JsonError | undefined;
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
    // The error thrown above, or a stack overflow because the text is nested too deeply.
  }
  return found;
}

function positionOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  return { line, column: offset - start + 1 };
}
