import { addIn, sendOption, sendValue } from '../../../domain/edit.ts';
import { valueAdvice } from '../../../domain/synonyms/value-words.ts';
import { deviceEncoderError } from '../../allowlist/device-codecs.ts';
import { type Catalogue, type CodecKind, encoderNamed } from '../../catalogue/catalogue.ts';
import { quoted, type ValueError } from '../../values/value-error.ts';
import { meantEncoder, stableEncoder } from '../request/meant-encoder.ts';

/** Encoders that a message lists if no encoder has a similar name. A build has hundreds of encoders. */
const COMMON_ENCODERS = (
  'libx264 libx265 libvpx-vp9 libsvtav1 libaom-av1 mpeg4 gif png mjpeg aac libmp3lame libopus libvorbis flac ' +
  'pcm_s16le mov_text webvtt srt ass'
).split(' ');

/**
 * Returns the error for an encoder in the option `c`: it does not exist, needs a device, or is for another kind of
 * stream. Returns undefined if the encoder is valid.
 */
export function checkEncoder(
  specifier: string | undefined,
  value: string,
  catalogue: Catalogue,
): ValueError | undefined {
  if (value === 'copy') return undefined;
  const { encoders } = catalogue.lists;
  const deviceError = deviceEncoderError(value, encoders, catalogue.devices);
  if (deviceError !== undefined) return deviceError;
  const encoder = encoderNamed(catalogue, value);
  const kind = kindOf(specifier);
  if (encoder === undefined) {
    const advice = kind && valueAdvice(`c:${kind.charAt(0)}`, value);
    const suggestion = advice === undefined ? meantEncoder(value, kind, catalogue) : undefined;
    const ofKind = COMMON_ENCODERS.filter((name) => kind === undefined || encoderNamed(catalogue, name)?.kind === kind);
    return {
      code: 'UNKNOWN_ENCODER',
      message: `The installed ffmpeg has no encoder ${quoted(value)}.`,
      allowed: ['copy', ...ofKind.filter((name) => encoders.has(name))],
      ...(suggestion !== undefined ? { fix: sendValue(suggestion) } : advice !== undefined && { fix: advice }),
    };
  }
  if (kind === undefined || kind === encoder.kind) return undefined;
  return {
    code: 'WRONG_ENCODER',
    message: `"${value}" is an encoder for ${encoder.kind}, not for ${kind}.`,
    fix: sendOption(`c:${encoder.kind.charAt(0)}`, value),
  };
}

/** Returns the error for an encoder that ffmpeg rejects as experimental. `opus` is such an encoder, `libopus` is not. */
export function experimentalEncoder(value: string, catalogue: Catalogue): ValueError | undefined {
  const encoder = encoderNamed(catalogue, value);
  if (encoder?.experimental !== true) return undefined;
  const stable = stableEncoder(encoder.codec, catalogue);
  return {
    code: 'EXPERIMENTAL_ENCODER',
    message: `The encoder "${encoder.name}" is experimental, and ffmpeg uses it only with "strict".`,
    fix: stable === undefined ? addIn('parameters', 'strict', 'experimental') : sendValue(stable),
  };
}

/** The kind of the streams that a specifier matches, if all are of one kind that encoders write. */
const kindOf = (specifier = ''): CodecKind | undefined =>
  /^[vas](?::|$)/i.test(specifier) ? KINDS[specifier.charAt(0).toLowerCase()] : undefined;

const KINDS: Readonly<Record<string, CodecKind>> = { v: 'video', a: 'audio', s: 'subtitle' };
