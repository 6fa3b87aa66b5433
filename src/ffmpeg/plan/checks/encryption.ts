import { addOption } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { type Catalogue, componentOf } from '../../catalogue/catalogue.ts';
import { badValue, quoted } from '../../values/value-error.ts';
import type { ArgvOption } from '../request/argv-option.ts';

/** The scheme of ffmpeg's muxers, and the word for no encryption (movenc.c). */
const SCHEME = 'cenc-aes-ctr';
const NONE = 'none';

const KEYS = ['encryption_key', 'encryption_kid'] as const;

/**
 * Checks that an encrypted MP4 has a scheme, a key and the identifier of the key: ffmpeg fails without a key, and writes a
 * file that is not encrypted without a scheme. Returns the warning about the latter.
 */
export function checkEncryption(
  options: readonly ArgvOption[],
  muxer: string | undefined,
  catalogue: Catalogue,
  errors: FieldError[],
): readonly Warning[] {
  const named = (wanted: string): ArgvOption | undefined => options.findLast(({ name }) => name.name === wanted);
  const container = muxer === undefined ? undefined : componentOf(catalogue, 'muxer', muxer);
  if (container?.options.some(({ name }) => name === 'encryption_scheme') !== true) return [];
  const scheme = named('encryption_scheme');
  const value = scheme?.values[0] ?? NONE;
  if (scheme === undefined || value === NONE) {
    const key = KEYS.map(named).find((one) => one !== undefined);
    if (key === undefined) return [];
    return [
      {
        field: key.field,
        code: 'NO_EFFECT',
        message: `"${key.key}" has no effect: without "encryption_scheme", the output is not encrypted.`,
        fix: addOption('encryption_scheme', SCHEME),
      },
    ];
  }
  const { field } = scheme;
  if (value !== SCHEME) {
    const message = `"${scheme.key}" must be a scheme that ffmpeg writes, not ${quoted(value)}.`;
    errors.push({ field, ...badValue(message, value, { names: [SCHEME, NONE], fix: SCHEME }) });
  }
  // A key with a wrong value has an error of its own.
  const isRejected = (name: string): boolean => errors.some((error) => error.field.endsWith(`/parameters/${name}`));
  const missing = KEYS.filter((name) => named(name) === undefined && !isRejected(name));
  if (missing.length > 0)
    errors.push({
      field,
      code: 'NEEDS_KEY',
      message: `"${scheme.key}" needs ${missing.map((name) => `"${name}"`).join(' and ')}, each in 32 hexadecimal digits.`,
      fix: `Send ${missing.map((name) => `"${name}"`).join(' and ')} as well, or leave "${scheme.key}" out.`,
    });
  return [];
}
