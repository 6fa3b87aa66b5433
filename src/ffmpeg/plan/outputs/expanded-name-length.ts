import { MAX_NAME_BYTES, MAX_PATH_BYTES } from '../../../domain/media-path.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { quoted } from '../../values/value-error.ts';
import type { OutputFilePattern } from './name-clashes.ts';
import { VARIANT_MARK } from './variant-names.ts';

/** A counter expands to at least one digit. */
const COUNTERS = /%(?!v)\d*[A-Za-z]/g;

/**
 * Returns the error for the first file whose name or path is too long with the longest variant name in it. This check
 * computes only lengths, because a short request can result in a very long name.
 */
export function checkExpandedLength(
  files: readonly OutputFilePattern[],
  variants: readonly string[],
): FieldError | undefined {
  const longest = variants.reduce((one, other) => (bytes(other) > bytes(one) ? other : one), '');
  const growth = bytes(longest) - VARIANT_MARK.length;
  const expandedBytes = (text: string): number =>
    bytes(text.replaceAll(COUNTERS, '0')) + growth * (text.split(VARIANT_MARK).length - 1);
  for (const { name, option } of files) {
    if (!name.includes(VARIANT_MARK)) continue;
    const isNameTooLong = name.split('/').some((part) => expandedBytes(part) > MAX_NAME_BYTES);
    if (!isNameTooLong && expandedBytes(name) <= MAX_PATH_BYTES) continue;
    const limit = isNameTooLong ? `${MAX_NAME_BYTES} bytes for a file name` : `${MAX_PATH_BYTES} bytes for a path`;
    return {
      field: option?.field ?? '/output',
      code: 'TOO_LONG',
      message: `With the variant ${quoted(longest)} as "${VARIANT_MARK}", ${quoted(name)} exceeds the limit of ${limit}.`,
      fix: `Use "${VARIANT_MARK}" once, and give the variants short names: "v:0,name:high".`,
    };
  }
  return undefined;
}

const bytes = (text: string): number => Buffer.byteLength(text);
