import { MAX_NAME_BYTES, MAX_PATH_BYTES } from '../../../domain/media-path.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { quoted } from '../../values/value-error.ts';
import type { OutputFiles } from './output-file-set.ts';
import { VARIANT_MARK } from './variant-names.ts';

/** One figure comes of a counter at least. */
const COUNTERS = /%(?!v)\d*[A-Za-z]/g;

/**
 * The first of these files that no disk takes with the longest name of a variant in it. It is not filled in for that:
 * a short request can ask for a long one.
 */
export function checkExpandedLength(
  files: readonly OutputFiles[],
  variants: readonly string[],
): FieldError | undefined {
  const longest = variants.reduce((one, other) => (bytes(other) > bytes(one) ? other : one), '');
  const more = bytes(longest) - VARIANT_MARK.length;
  const filled = (text: string): number =>
    bytes(text.replaceAll(COUNTERS, '0')) + more * (text.split(VARIANT_MARK).length - 1);
  for (const { name, option } of files) {
    if (!name.includes(VARIANT_MARK)) continue;
    const most = name.split('/').some((part) => filled(part) > MAX_NAME_BYTES)
      ? MAX_NAME_BYTES
      : filled(name) > MAX_PATH_BYTES
        ? MAX_PATH_BYTES
        : undefined;
    if (most !== undefined)
      return {
        field: option?.field ?? '/output',
        code: 'TOO_LONG',
        message: `With the variant ${quoted(longest)} where "${VARIANT_MARK}" stands, ${quoted(name)} is longer than the ${most} bytes that ${most === MAX_NAME_BYTES ? 'one name in a path' : 'a path'} may have.`,
        fix: `Put "${VARIANT_MARK}" into it once, and give the variants short names: "v:0,name:high".`,
      };
  }
  return undefined;
}

const bytes = (text: string): number => Buffer.byteLength(text);
