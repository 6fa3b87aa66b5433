import type { OptionValue } from '../../domain/conversion.ts';
import { nearest } from '../../domain/near.ts';
import type { FieldError } from '../../domain/problem.ts';
import { type AvUse, type Catalogue, type CliFacts, encoderNamed } from '../catalogue/catalogue.ts';
import { hasCall, isReviewedText, isTextType, sibling } from '../policy/av-rules.ts';
import type { CliRule } from '../policy/cli-rules.ts';
import { deviceEncoderFault } from '../policy/device-codecs.ts';
import { nameText, type OptionName } from './option-name.ts';
import { parseDuration } from './times.ts';

type Fault = Omit<FieldError, 'field'>;

interface ValueContext {
  readonly catalogue: Catalogue;
  readonly sandboxed: boolean;
}

const ASK_OPERATOR = 'the operator can switch it on ("telecine doctor" says how)';

/**
 * What an option of ffmpeg's own adds to the argv: its values; none for a flag; undefined for a flag that was
 * switched off. The value of a flag never gets into the argv, where it would be one more output file.
 */
export function readCliValues(
  name: OptionName,
  value: OptionValue,
  facts: CliFacts,
  rule: CliRule,
  context: ValueContext,
): { readonly values: readonly string[] | undefined } | Fault {
  const key = nameText(name);
  if (typeof value !== 'string' && rule.repeatable === undefined)
    return {
      code: 'NOT_REPEATABLE',
      message: `ffmpeg takes "${key}" once, so it cannot be a list.`,
      fix: 'Send one string.',
    };
  if (!facts.argument) {
    if (value === '' || value === 'true') return { values: [] };
    if (value === 'false') return { values: undefined };
    return {
      code: 'TAKES_NO_VALUE',
      message: `"${key}" is switched on or off and takes no value.`,
      allowed: ['', 'true', 'false'],
      fix: `Send "${key}": "" to switch it on, or leave it out.`,
    };
  }
  const values = typeof value === 'string' ? [value] : value;
  for (const one of values) {
    const fault = checkCliValue(name, one, rule, context);
    if (fault !== undefined) return fault;
  }
  return { values };
}

const TIMES: ReadonlySet<string> = new Set(['ss', 't', 'to']);

function checkCliValue(name: OptionName, value: string, rule: CliRule, context: ValueContext): Fault | undefined {
  const key = nameText(name);
  if (value === '') return needsValue(key);
  if (TIMES.has(name.name)) return checkTime(key, value);
  if (name.name === 'c' && !rule.plain.test(value))
    return {
      code: 'BAD_VALUE',
      message: `"${value.slice(0, 64)}" is no name of a codec.`,
      fix: 'Send "copy" or an encoder.',
    };
  if (context.sandboxed || rule.plain.test(value)) return undefined;
  return {
    code: 'NEEDS_SANDBOX',
    message:
      rule.shape === undefined
        ? `This service runs without a sandbox, where "${key}" is not offered, since filters can open files.`
        : `This service runs without a sandbox, where "${key}" takes only ${rule.shape}.`,
    fix: `Leave it out, or use a service with a sandbox: ${ASK_OPERATOR}.`,
  };
}

function checkTime(key: string, value: string): Fault | undefined {
  const seconds = parseDuration(value);
  if (seconds === undefined)
    return {
      code: 'BAD_TIME',
      message: `"${value.slice(0, 64)}" is no time.`,
      allowed: ['12.5', '00:01:30', '00:01:30.250', '1500ms'],
    };
  if (seconds >= 0) return undefined;
  return {
    code: 'BAD_TIME',
    message: `"${key}" cannot be negative.`,
    fix: `Send "${value.slice(1)}", or "sseof" to count from the end.`,
  };
}

/** What people call a codec, where ffmpeg calls it otherwise. */
const USUAL_NAMES: ReadonlyMap<string, string> = new Map([
  ['h265', 'hevc'],
  ['h.265', 'hevc'],
  ['x265', 'libx265'],
  ['avc', 'h264'],
  ['h.264', 'h264'],
  ['x264', 'libx264'],
]);

/** Shown where nothing is near what was sent; a build has hundreds. */
const COMMON_ENCODERS = (
  'libx264 libx265 libvpx-vp9 libsvtav1 libaom-av1 mpeg4 gif png mjpeg aac libmp3lame libopus libvorbis flac ' +
  'pcm_s16le mov_text webvtt srt ass'
).split(' ');

/** The encoder behind `c:v` and its kind, or what is wrong with it. */
export function checkEncoder(specifier: string | undefined, value: string, catalogue: Catalogue): Fault | undefined {
  if (value === 'copy') return undefined;
  const needsDevice = deviceEncoderFault(value, catalogue.encoders);
  if (needsDevice !== undefined) return needsDevice;
  const encoder = encoderNamed(catalogue, value);
  if (encoder === undefined) {
    const usual = USUAL_NAMES.get(value.toLowerCase());
    const near =
      usual !== undefined && encoderNamed(catalogue, usual) !== undefined
        ? usual
        : nearest(value, ['copy', ...catalogue.encoders.keys()]);
    return {
      code: 'UNKNOWN_ENCODER',
      message: `The installed ffmpeg has no encoder "${value.slice(0, 64)}".`,
      ...(near === undefined
        ? { allowed: ['copy', ...COMMON_ENCODERS.filter((name) => catalogue.encoders.has(name))] }
        : { fix: `Send "${near}".` }),
    };
  }
  const letter = specifier?.charAt(0).toLowerCase() ?? '';
  const wanted = { v: 'video', a: 'audio', s: 'subtitle' }[letter];
  if (wanted === undefined || !/^[vas](?::|$)/i.test(specifier ?? '') || wanted === encoder.kind) return undefined;
  return {
    code: 'WRONG_ENCODER',
    message: `"${value}" is an encoder for ${encoder.kind}, not for ${wanted}.`,
    fix: `Send it as "c:${encoder.kind.charAt(0)}".`,
  };
}

/** What an AVOption adds to the argv. AVOptions always take a value, and only one. */
export function readAvValue(
  name: OptionName,
  value: OptionValue,
  uses: readonly AvUse[],
  context: ValueContext,
): { readonly value: string } | Fault {
  const key = nameText(name);
  if (typeof value !== 'string')
    return {
      code: 'NOT_REPEATABLE',
      message: `ffmpeg takes "${key}" once, so it cannot be a list.`,
      fix: 'Send one string.',
    };
  if (value === '') return needsValue(key);
  const beside = sibling(name.name);
  if (beside !== undefined) {
    if (!isFileName(value))
      return {
        code: 'BAD_FILE_NAME',
        message: `"${key}" names a file beside the output, so it is a name without a folder.`,
        fix: 'Send a name such as "part_%03d.ts".',
      };
    return { value: beside === 'from here' ? `out/${value}` : value };
  }
  if (uses.some((use) => isTextType(use.type))) {
    if (context.sandboxed || isReviewedText(name.name, value)) return { value };
    return {
      code: 'NEEDS_SANDBOX',
      message: `This service runs without a sandbox, where the text of "${key}" cannot be let through.`,
      fix: `Leave it out, or use a service with a sandbox: ${ASK_OPERATOR}.`,
    };
  }
  if (hasCall(value))
    return {
      code: 'BAD_VALUE',
      message: `"${key}" takes a plain value, not an expression.`,
      fix: 'Send the number itself.',
    };
  return { value };
}

const needsValue = (key: string): Fault => ({
  code: 'EMPTY_VALUE',
  message: `"${key}" needs a value.`,
  fix: 'Send its value as a string, or leave it out.',
});

/** One name, that is not the service's own and no URL. */
const isFileName = (value: string): boolean =>
  !/[/\\:\r\n\t]/.test(value) && value !== '.' && value !== '..' && !value.startsWith('.telecine');
