import { sendOption } from '@telecine/contract/domain/edit.ts';
import { fileSizeFix } from '@telecine/contract/domain/synonyms/value-words.ts';
import { sentName } from '../../plan/request/argv-option.ts';
import { readPlainNumber } from '../../values/number.ts';
import type { Rules } from '../contexts.ts';

/** In seconds. A longer time is probably the position of one key frame, such as the start of a chapter. */
const MAX_INTERVAL = 15;

const IN_BITS: ReadonlySet<string> = new Set(['b', 'maxrate', 'minrate', 'bufsize']);
const IN_BYTES: ReadonlySet<string> = new Set(['fs', 'hls_segment_size', 'frag_size', 'probesize']);

/** Matches a number that ends in `B`: `1MB`, `512KiB`, `700B`. */
const SIZE = /^\s*(\d+(?:\.\d+)?)([kKMG]i?)?B$/;

export const VALUE_UNIT_RULES: Rules = {
  'single-key-frame': {
    finds: '`force_key_frames` with one small number, which is a time and not an interval',
    about: ['force_key_frames'],
    option:
      ({ options }) =>
      (option) => {
        const [value = ''] = option.values;
        const seconds = /^\d{1,2}(?:\.\d+)?$/.test(value) ? Number(value) : 0;
        // If `segment_times` has the same value, this key frame may be the end of the first segment.
        const isEnd = options.some(({ key, values }) => key === 'segment_times' && values[0] === value);
        if (seconds <= 0 || seconds > MAX_INTERVAL || isEnd) return [];
        return {
          code: 'UNUSUAL_VALUE',
          message: `"${sentName(option)}" is a list of times: ${value} forces one key frame, at ${value} s.`,
          fix: sendOption(sentName(option), `expr:gte(t,n_forced*${value})`),
        };
      },
  },

  /** av_strtod reads the `B` in `"fs": "1MB"` as a factor of 8 (libavutil/eval.c), also if the option is in bytes. */
  'byte-suffixes': {
    finds: 'a size or a bit rate that ends in `B`, which ffmpeg reads as a factor of 8',
    about: [...IN_BITS, ...IN_BYTES],
    plan: ({ sharedOptions }) =>
      sharedOptions.flatMap((option) => {
        const { name } = option.name;
        const [value = ''] = option.values;
        const [, digits, unit = ''] = SIZE.exec(value) ?? [];
        const number = readPlainNumber(value);
        const isBits = IN_BITS.has(name);
        if ((!isBits && !IN_BYTES.has(name)) || digits === undefined || !(Number(number) > 0)) return [];
        const key = sentName(option);
        const read = `${Number(digits) * 8}${unit}`;
        return {
          field: option.field,
          code: 'UNUSUAL_VALUE',
          message: isBits
            ? `"${key}" is in bits${name === 'bufsize' ? '' : ' per second'}, and ffmpeg reads the "B" of "${value}" as a factor of 8: "${read}". If bytes are meant, send "${read}".`
            : `"${key}" is in bytes already, and ffmpeg reads the "B" of "${value}" as a factor of 8: ${number} bytes.`,
          fix: name === 'fs' ? fileSizeFix(digits, unit) : sendOption(key, `${digits}${unit}`),
        };
      }),
  },
};
