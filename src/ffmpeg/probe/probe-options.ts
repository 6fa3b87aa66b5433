import { closestMatch } from '../../domain/closest-match.ts';
import type { OptionValue, Parameters } from '../../domain/conversion.ts';
import { type FieldError, pointerToken } from '../../domain/problem.ts';
import { INPUT_FORMAT_NAMES } from '../allowlist/input-formats.ts';

/** How one option of a caller's is said to ffprobe, which has only those of demuxers. */
interface Rule {
  readonly option: string;
  readonly shape: RegExp;
  /** The shape in words. */
  readonly wants: string;
  readonly write?: (value: string) => string;
}

const DIGITS = /^\d{1,9}$/;
const format: Rule = { option: 'f', shape: /^[\w,.-]{1,64}$/, wants: 'the name of an input format, such as "s16le"' };
const sampleRate: Rule = { option: 'sample_rate', shape: DIGITS, wants: 'samples a second, such as "48000"' };
const channels: Rule = {
  option: 'ch_layout',
  shape: /^[1-9]\d{0,1}$/,
  wants: 'a number of channels, such as "2"',
  write: (count) => `${count}c`,
};
const layout: Rule = { option: 'ch_layout', shape: /^[\w.+()@]{1,64}$/, wants: 'a layout, such as "stereo"' };
const size: Rule = {
  option: 'video_size',
  shape: /^(?:\d{1,5}x\d{1,5}|[a-z][a-z0-9]{1,9})$/,
  wants: 'a size, such as "1280x720"',
};
const rate: Rule = {
  option: 'framerate',
  shape: /^\d{1,6}(?:\.\d{1,6})?(?:\/\d{1,6})?$/,
  wants: 'frames a second, such as "25" or "30000/1001"',
};
const pixels: Rule = { option: 'pixel_format', shape: /^[a-z0-9_]{2,32}$/, wants: 'a pixel format, such as "yuv420p"' };

/** By the names that people use with ffmpeg, and by ffprobe's own. */
const RULES: ReadonlyMap<string, Rule> = new Map([
  ['f', format],
  ['ar', sampleRate],
  ['sample_rate', sampleRate],
  ['ac', channels],
  ['channels', channels],
  ['ch_layout', layout],
  ['channel_layout', layout],
  ['s', size],
  ['video_size', size],
  ['r', rate],
  ['framerate', rate],
  ['pix_fmt', pixels],
  ['pixel_format', pixels],
  ['probesize', { option: 'probesize', shape: DIGITS, wants: 'a number of bytes, such as "5000000"' }],
  ['analyzeduration', { option: 'analyzeduration', shape: DIGITS, wants: 'microseconds, such as "5000000"' }],
]);

/** What `parameters` of a probe add to ffprobe's argv; what is wrong with them is added to `errors`. */
export function readProbeOptions(parameters: Parameters | undefined, errors: FieldError[]): readonly string[] {
  const words: string[] = [];
  const said = new Map<string, string>();
  for (const [key, value] of Object.entries(parameters ?? {})) {
    const field = `/parameters/${pointerToken(key)}`;
    const rule = RULES.get(key);
    if (rule === undefined) {
      errors.push({ field, ...unknown(key) });
      continue;
    }
    const before = said.get(rule.option);
    if (before !== undefined) {
      errors.push({
        field,
        code: 'DUPLICATE_OPTION',
        message: `"${before}" and "${key}" say the same.`,
        fix: `Send only "${before}".`,
      });
      continue;
    }
    said.set(rule.option, key);
    if (!fits(rule, value)) {
      errors.push({ field, code: 'BAD_VALUE', message: `"${key}" takes ${rule.wants}.` });
      continue;
    }
    words.push(`-${rule.option}`, rule.write?.(value) ?? value);
  }
  return words;
}

const fits = (rule: Rule, value: OptionValue): value is string =>
  typeof value === 'string' && rule.shape.test(value) && (rule !== format || INPUT_FORMAT_NAMES.has(value));

function unknown(key: string): Omit<FieldError, 'field'> {
  const near = closestMatch(key, [...RULES.keys()]);
  return {
    code: 'UNKNOWN_OPTION',
    message: `"${key.slice(0, 64)}" is no option of a probe: it takes those that say what a file without a header holds.`,
    allowed: [...RULES.keys()],
    fix: near === undefined ? 'Leave it out.' : `Send "${near}".`,
  };
}
