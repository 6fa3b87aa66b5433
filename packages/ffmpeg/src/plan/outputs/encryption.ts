import { KEY_INFO_FILE } from '@telecine/contract/domain/hls-encryption.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { componentOf } from '../../catalogue/components.ts';
import { isFmp4, readHlsFlags } from '../../values/hls-values.ts';
import { badValue, quoted } from '../../values/value-error.ts';
import { type ArgvOption, lastValue, sentName, serviceOption } from '../request/argv-option.ts';
import type { OutputFormat } from '../request/format-names.ts';
import type { OutputRequest } from '../request/parse-request.ts';

/** The option that encrypts an HLS output. The file with the key is written just before ffmpeg runs, so that no argv contains the key. */
export const encryptionOption = ({ encrypt }: OutputRequest, muxer: string | undefined): readonly ArgvOption[] =>
  encrypt === undefined || muxer !== 'hls' ? [] : [serviceOption('hls_key_info_file', [KEY_INFO_FILE], true)];

/** Checks `encrypt` for one output. Returns a warning if this output is not encrypted, but other outputs are. */
export function checkHlsEncryption(
  { encrypt, element }: OutputRequest,
  format: OutputFormat | undefined,
  options: readonly ArgvOption[],
  errors: FieldError[],
): readonly Warning[] {
  if (encrypt === undefined) return [];
  errors.push(...encrypt.errors);
  if (format === undefined) return [];
  if (format.muxer === 'hls') {
    errors.push(...unencryptable(options));
    return [];
  }
  if (element === undefined) {
    errors.push(notHls(`the output is ${format.muxer}`));
    return [];
  }
  // A poster image is public, so it needs no encryption.
  if (format.imageEncoder !== undefined) return [];
  return [
    {
      field: '/output',
      code: 'NOT_ENCRYPTED',
      message: `"encrypt" is for HLS, so this output (${format.muxer}) is not encrypted.`,
    },
  ];
}

/** The error for `encrypt` if no output is HLS. */
export function withoutHls(
  outputs: readonly OutputRequest[],
  muxers: readonly (string | undefined)[],
): readonly FieldError[] {
  const isEncrypted = outputs.some(({ encrypt }) => encrypt !== undefined);
  return isEncrypted && !muxers.includes('hls') && !muxers.includes(undefined)
    ? [notHls('none of "outputs" is HLS')]
    : [];
}

const notHls = (why: string): FieldError => ({
  field: '/encrypt',
  code: 'NOT_HLS',
  message: `"encrypt" encrypts the segments of HLS (an output such as "hls/index.m3u8"), but ${why}.`,
});

/** The errors for forms of HLS that ffmpeg does not encrypt (`hlsenc.c`, ffmpeg 5.1 to 8), or that no player can read when encrypted. */
function unencryptable(options: readonly ArgvOption[]): readonly FieldError[] {
  const named = (key: string): ArgvOption | undefined => options.findLast((option) => option.key === key);
  const type = named('hls_segment_type');
  const flags = named('hls_flags');
  const value = lastValue('hls_flags', options) ?? '';
  const errors: FieldError[] = [];
  if (type !== undefined && isFmp4(type.values[0] ?? ''))
    errors.push({
      field: type.field,
      code: 'NOT_ENCRYPTABLE',
      message: `ffmpeg encrypts HLS in MPEG-TS only, but "${sentName(type)}" is fmp4, not "mpegts".`,
    });
  if (flags !== undefined && readHlsFlags(value).has('single_file'))
    errors.push({
      field: flags.field,
      code: 'NOT_ENCRYPTABLE',
      message: 'ffmpeg cannot encrypt segments of one file: "hls_flags" has "single_file".',
    });
  return errors;
}

/** The encryption scheme of ffmpeg's muxers, and the value for "no encryption" (`movenc.c`). */
const SCHEME = 'cenc-aes-ctr';
const NONE = 'none';

const KEYS = ['encryption_key', 'encryption_kid'] as const;

/**
 * Checks that an encrypted MP4 has a scheme, a key and a key id. Without a key, ffmpeg fails. Without a scheme, ffmpeg writes the file
 * unencrypted, about which a warning is returned.
 */
export function checkEncryption(
  options: readonly ArgvOption[],
  muxer: string | undefined,
  catalogue: Catalogue,
  errors: FieldError[],
): readonly Warning[] {
  const named = (wanted: string): ArgvOption | undefined => options.findLast(({ name }) => name.name === wanted);
  const scheme = named('encryption_scheme');
  const key = KEYS.map(named).find((one) => one !== undefined);
  if (scheme === undefined && key === undefined) return [];
  const container = muxer === undefined ? undefined : componentOf(catalogue, 'muxer', muxer);
  if (container?.options.some(({ name }) => name === 'encryption_scheme') !== true) return [];
  const value = scheme?.values[0] ?? NONE;
  if (scheme === undefined || value === NONE) {
    if (key === undefined) return [];
    return [
      {
        field: key.field,
        code: 'NO_EFFECT',
        message: `"${key.key}" has no effect: without "encryption_scheme": "${SCHEME}", the output is not encrypted.`,
      },
    ];
  }
  const { field } = scheme;
  if (value !== SCHEME) {
    const message = `"${scheme.key}" must be a scheme that ffmpeg writes, not ${quoted(value)}.`;
    errors.push({ field, ...badValue(message, value, { names: [SCHEME, NONE] }) });
  }
  // Do not report an invalid key as missing: it has another error.
  const isRejected = (name: string): boolean => errors.some((error) => error.field.endsWith(`/parameters/${name}`));
  const missing = KEYS.filter((name) => named(name) === undefined && !isRejected(name));
  if (missing.length > 0)
    errors.push({
      field,
      code: 'NEEDS_KEY',
      message: `"${scheme.key}" needs ${missing.map((name) => `"${name}"`).join(' and ')}, each in 32 hexadecimal digits.`,
    });
  return [];
}
