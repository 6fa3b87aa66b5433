import { sendOption } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import { fileSizeFix } from '../../../domain/synonyms/value-words.ts';
import { readPlainNumber } from '../../values/number.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';

/** Options in bits, or in bits per second. */
const IN_BITS: ReadonlySet<string> = new Set(['b', 'maxrate', 'minrate', 'bufsize']);
/** Options in bytes. */
const IN_BYTES: ReadonlySet<string> = new Set(['fs', 'hls_segment_size', 'frag_size', 'probesize']);

/** A number that ends in `B`: `1MB`, `512KiB`, `700B`. */
const SIZE = /^\s*(\d+(?:\.\d+)?)([kKMG]i?)?B$/;

/**
 * Warns about a size with `B`, such as `"fs": "1MB"`: av_strtod reads it as a factor of 8 (libavutil/eval.c), whatever the
 * unit of the option. An option in bytes so gets eight times its value, and one in bits gets bytes.
 */
export const byteSuffixes = (options: readonly ArgvOption[]): readonly Warning[] =>
  options.flatMap((option) => {
    const isBits = IN_BITS.has(option.name.name);
    const [value = ''] = option.values;
    const [, digits, unit = ''] = SIZE.exec(value) ?? [];
    const number = readPlainNumber(value);
    if ((!isBits && !IN_BYTES.has(option.name.name)) || digits === undefined || !(Number(number) > 0)) return [];
    const key = sentName(option);
    const bare = `${digits}${unit}`;
    const read = `${Number(digits) * 8}${unit}`;
    const isRate = isBits && option.name.name !== 'bufsize';
    return [
      {
        field: option.field,
        code: 'UNUSUAL_VALUE',
        message: isBits
          ? `"${key}" is in bits${isRate ? ' per second' : ''}, and ffmpeg reads the "B" of "${value}" as a factor of 8: "${read}". If bytes are meant, send "${read}".`
          : `"${key}" is in bytes already, and ffmpeg reads the "B" of "${value}" as a factor of 8: ${number} bytes.`,
        fix: option.name.name === 'fs' ? fileSizeFix(digits, unit) : sendOption(key, bare),
      },
    ];
  });
