import { sendOption } from '@telecine/contract/domain/edit.ts';
import { fileSizeFix } from '@telecine/contract/domain/synonyms/value-words.ts';
import { sentName } from '../../plan/request/argv-option.ts';
import { readPlainNumber } from '../../values/number.ts';
import { type Rules, unusualValue } from '../contexts.ts';

/** In seconds. A larger number is probably the position of one key frame, such as the start of a chapter. */
const MAX_INTERVAL = 15;

const IN_BITS: ReadonlySet<string> = new Set(['b', 'maxrate', 'minrate', 'bufsize']);
const IN_BYTES: ReadonlySet<string> = new Set(['fs', 'hls_segment_size', 'frag_size', 'probesize']);

/** Matches a number that ends in `B`: `1MB`, `512KiB`, `700B`. */
const SIZE = /^\s*(\d+(?:\.\d+)?)([kKMG]i?)?B$/;

export const VALUE_UNIT_RULES: Rules = {
  'single-key-frame': {
    finds: '`force_key_frames` with one small number, which is a time and not an interval',
    about: ['force_key_frames'],
    option: (context) => (option) => {
      const [value = ''] = option.values;
      const seconds = /^\d{1,2}(?:\.\d+)?$/.test(value) ? Number(value) : 0;
      // If `segment_times` has the same value, the client wants the key frame at the end of the first segment.
      const isEnd = context.options.some(({ key, values }) => key === 'segment_times' && values[0] === value);
      if (seconds <= 0 || seconds > MAX_INTERVAL || isEnd) return [];
      return unusualValue(
        `"${sentName(option)}" is a list of times: ${value} forces one key frame, at ${value} s.`,
        sendOption(sentName(option), `expr:gte(t,n_forced*${value})`),
      );
    },
  },

  /** ffmpeg (av_strtod in libavutil/eval.c) reads the `B` in `"fs": "1MB"` as a factor of 8, also for options in bytes. */
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
        return unusualValue(
          isBits
            ? `"${key}" is in bits${name === 'bufsize' ? '' : ' per second'}, and ffmpeg reads the "B" of "${value}" as a factor of 8: "${read}". If bytes are meant, send "${read}".`
            : `"${key}" is in bytes already, and ffmpeg reads the "B" of "${value}" as a factor of 8: ${number} bytes.`,
          name === 'fs' ? fileSizeFix(digits, unit) : sendOption(key, `${digits}${unit}`),
          { field: option.field },
        );
      }),
  },
};
