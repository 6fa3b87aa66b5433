import { MAX_NAME_BYTES, MAX_PATH_BYTES } from '../../../domain/media-path.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { quoted } from '../../values/value-error.ts';
import type { OutputFilePattern } from './name-clashes.ts';
import { VARIANT_MARK } from './variant-names.ts';

/** Matches counters, which expand to at least one digit and to their width, and the marks of dates. */
const MARKS = /%(?!v)0?(\d*)([A-Za-z])/g;

/** The most bytes of a part of a date. All others have at most two. */
const DATE_BYTES: Readonly<Record<string, number>> = {
  ...{ F: 10, s: 10, A: 9, B: 9, Y: 4, G: 4 },
  ...{ a: 3, b: 3, h: 3, j: 3 },
};

/**
 * Returns the error for the first file whose name or path can be too long once ffmpeg has expanded the date, the
 * counters and the variant in it. This check computes only lengths, because a short request can result in a very long
 * name.
 *
 * @param dated Whether ffmpeg expands dates.
 */
export function checkExpandedLength(
  files: readonly Pick<OutputFilePattern, 'name' | 'option'>[],
  variants: readonly string[],
  dated: boolean,
): FieldError | undefined {
  const longest = variants.reduce((one, other) => (bytes(other) > bytes(one) ? other : one), '');
  const growth = bytes(longest) - VARIANT_MARK.length;
  const expandMark = (_mark: string, width: string, letter: string): string =>
    'x'.repeat(dated ? (DATE_BYTES[letter] ?? 2) : Math.min(Math.max(1, Number(width)), MAX_PATH_BYTES + 1));
  const expandedBytes = (text: string): number =>
    bytes(text.replaceAll(MARKS, expandMark)) + growth * (text.split(VARIANT_MARK).length - 1);
  for (const { name, option } of files) {
    const isNameTooLong = name.split('/').some((part) => expandedBytes(part) > MAX_NAME_BYTES);
    if (!isNameTooLong && expandedBytes(name) <= MAX_PATH_BYTES) continue;
    const limit = isNameTooLong ? `${MAX_NAME_BYTES} bytes for a file name` : `${MAX_PATH_BYTES} bytes for a path`;
    const field = option?.field ?? '/output';
    if (!name.includes(VARIANT_MARK))
      return {
        field,
        code: 'TOO_LONG',
        message: `With ${dated ? 'the date' : 'its counters'} in it, ${quoted(name)} exceeds the limit of ${limit}.`,
        fix: dated ? 'Send a shorter name: "%F_%H-%M-%S".' : 'Send a shorter name, with a counter such as %03d.',
      };
    return {
      field,
      code: 'TOO_LONG',
      message: `With the variant ${quoted(longest)} as "${VARIANT_MARK}", ${quoted(name)} exceeds the limit of ${limit}.`,
      fix: `Use "${VARIANT_MARK}" once, and give the variants short names: "v:0,name:high".`,
    };
  }
  return undefined;
}

const bytes = (text: string): number => Buffer.byteLength(text);
