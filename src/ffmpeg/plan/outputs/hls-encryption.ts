import { leaveOut, sendOption } from '../../../domain/edit.ts';
import { KEY_INFO_FILE } from '../../../domain/hls-encryption.ts';
import type { Warning } from '../../../domain/plan.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { isFmp4, readHlsFlags } from '../../values/hls-values.ts';
import { type ArgvOption, lastValue, sentName, serviceOption } from '../request/argv-option.ts';
import type { OutputFormat } from '../request/format-names.ts';
import type { OutputRequest } from '../request/parse-request.ts';

/** The option that encrypts an output in HLS. Its file is written just before ffmpeg runs, so no argv contains the key. */
export const encryptionOption = ({ encrypt }: OutputRequest, muxer: string | undefined): readonly ArgvOption[] =>
  encrypt === undefined || muxer !== 'hls' ? [] : [serviceOption('hls_key_info_file', [KEY_INFO_FILE], true)];

/**
 * Checks that `encrypt` of a request does what it says for one of its outputs. Returns the warning about an output that
 * stays readable beside others.
 */
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
  // A poster is meant to be seen by everybody.
  if (format.picture !== undefined) return [];
  return [
    {
      field: '/output',
      code: 'NOT_ENCRYPTED',
      message: `"encrypt" is for HLS, so this output (${format.muxer}) is not encrypted.`,
      fix: 'If it must not be readable, leave this output out. If it may be, send it as a request of its own.',
    },
  ];
}

/** The error for `encrypt` beside outputs of which none is HLS. */
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
  message: `"encrypt" encrypts the segments of HLS, and ${why}.`,
  fix: 'Send an output such as "hls/index.m3u8", or leave "encrypt" out.',
});

/** Forms of HLS that ffmpeg does not encrypt (hlsenc.c, 5.1 to 8), or encrypts into files that no player reads. */
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
      message: `ffmpeg encrypts HLS in MPEG-TS only, and "${sentName(type)}" is fmp4.`,
      fix: {
        ...sendOption(sentName(type), 'mpegts'),
        note: 'Names of segments in the request have to end with ".ts" then.',
      },
    });
  const others = value.replace(/(?:^|\+)single_file(?=[+-]|$)/, '');
  if (flags !== undefined && readHlsFlags(value).has('single_file'))
    errors.push({
      field: flags.field,
      code: 'NOT_ENCRYPTABLE',
      message: 'ffmpeg cannot encrypt segments of one file: "hls_flags" has "single_file".',
      fix: others === '' || others === value ? leaveOut() : sendOption(sentName(flags), others),
    });
  return errors;
}
