import type { OptionValue, Parameters } from '@telecine/contract/domain/conversion.ts';
import { type FieldError, pointerToken } from '@telecine/contract/domain/problem.ts';
import { INPUT_FORMAT_NAMES } from '../allowlist/input-formats.ts';

/** How an option of a request becomes an option of ffprobe, which accepts options of demuxers only. */
interface Rule {
  readonly option: string;
  readonly shape: RegExp;
  /** What `shape` allows, as the end of a message. */
  readonly expects: string;
  readonly write?: (value: string) => string;
}

const DIGITS = /^\d{1,9}$/;
const format: Rule = { option: 'f', shape: /^[\w,.-]{1,64}$/, expects: 'the name of an input format, such as "s16le"' };
const sampleRate: Rule = { option: 'sample_rate', shape: DIGITS, expects: 'samples per second, such as "48000"' };
const channels: Rule = {
  option: 'ch_layout',
  shape: /^[1-9]\d{0,1}$/,
  expects: 'a number of channels, such as "2"',
  write: (count) => `${count}c`,
};
const layout: Rule = { option: 'ch_layout', shape: /^[\w.+()@]{1,64}$/, expects: 'a layout, such as "stereo"' };
const size: Rule = {
  option: 'video_size',
  shape: /^(?:\d{1,5}x\d{1,5}|[a-z][a-z0-9]{1,9})$/,
  expects: 'a size, such as "1280x720"',
};
const rate: Rule = {
  option: 'framerate',
  shape: /^\d{1,6}(?:\.\d{1,6})?(?:\/\d{1,6})?$/,
  expects: 'frames per second, such as "25" or "30000/1001"',
};
const pixels: Rule = {
  option: 'pixel_format',
  shape: /^[a-z0-9_]{2,32}$/,
  expects: 'a pixel format, such as "yuv420p"',
};

/** The rules by option name. An option of the ffmpeg program (`ar`) and the demuxer's option for the same (`sample_rate`) share a rule. */
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
  ['probesize', { option: 'probesize', shape: DIGITS, expects: 'a number of bytes, such as "5000000"' }],
  [
    'analyzeduration',
    { option: 'analyzeduration', shape: DIGITS, expects: 'a number of microseconds, such as "5000000"' },
  ],
]);

/** Returns the arguments of ffprobe for `parameters`. Appends field errors to `errors`. */
export function readProbeOptions(parameters: Parameters | undefined, errors: FieldError[]): readonly string[] {
  const args: string[] = [];
  const keyByOption = new Map<string, string>();
  for (const [key, value] of Object.entries(parameters ?? {})) {
    const field = `/parameters/${pointerToken(key)}`;
    const rule = RULES.get(key);
    const before = rule && keyByOption.get(rule.option);
    if (rule === undefined) errors.push({ field, ...unknown(key) });
    else if (before !== undefined) {
      const message = `"${before}" and "${key}" set the same option.`;
      errors.push({ field, code: 'DUPLICATE_OPTION', message });
    } else {
      keyByOption.set(rule.option, key);
      const message = `"${key}" must be ${rule.expects}, not ${JSON.stringify(String(value).slice(0, 64))}.`;
      if (fits(rule, value)) args.push(`-${rule.option}`, rule.write?.(value) ?? value);
      else errors.push({ field, code: 'BAD_VALUE', message });
    }
  }
  return args;
}

/** Matches demuxers of audio without a header. */
const SAMPLES = /^(?:[suf]\d{1,2}(?:[lb]e)?|alaw|mulaw)$/;

/** The options of a demuxer of files without a header. ffprobe rejects any other option. */
const optionsOf = (demuxer: string): readonly string[] => {
  if (demuxer === 'rawvideo') return ['video_size', 'framerate', 'pixel_format'];
  return SAMPLES.test(demuxer) ? ['sample_rate', 'ch_layout'] : [];
};

/** Returns the options of an input that ffprobe needs: `f`, and the options of the demuxer in `f`. */
export function probeParameters({ f, ...options }: Parameters): Parameters {
  if (typeof f !== 'string') return {};
  const known = optionsOf(f);
  const ofDemuxer = Object.entries(options).filter(([key]) => known.includes(RULES.get(key)?.option ?? ''));
  return { f, ...Object.fromEntries(ofDemuxer) };
}

const fits = (rule: Rule, value: OptionValue): value is string =>
  typeof value === 'string' && rule.shape.test(value) && (rule !== format || INPUT_FORMAT_NAMES.has(value));

const unknown = (key: string): Omit<FieldError, 'field'> => ({
  code: 'UNKNOWN_OPTION',
  message: `Unknown probe option "${key.slice(0, 64)}". A probe accepts only options that describe a file without a header.`,
  nearest: { given: key, names: [...RULES.keys()], is: 'name' },
});
