import { closestMatch } from '../../../domain/closest-match.ts';
import { deviceEncoderError } from '../../allowlist/device-codecs.ts';
import { type Catalogue, encoderNamed } from '../../catalogue/catalogue.ts';
import { quoted, sendInstead, type ValueError } from '../../values/value-error.ts';

/** Names that people use for codecs but that ffmpeg does not have. */
const USUAL_NAMES: ReadonlyMap<string, string> = new Map([
  ['h265', 'hevc'],
  ['h.265', 'hevc'],
  ['x265', 'libx265'],
  ['avc', 'h264'],
  ['h.264', 'h264'],
  ['x264', 'libx264'],
]);

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
  const deviceError = deviceEncoderError(value, encoders);
  if (deviceError !== undefined) return deviceError;
  const encoder = encoderNamed(catalogue, value);
  if (encoder === undefined) {
    const ffmpegName = USUAL_NAMES.get(value.toLowerCase());
    const suggestion =
      ffmpegName !== undefined && encoderNamed(catalogue, ffmpegName) !== undefined
        ? ffmpegName
        : closestMatch(value, ['copy', ...encoders.keys()]);
    return {
      code: 'UNKNOWN_ENCODER',
      message: `The installed ffmpeg has no encoder ${quoted(value)}.`,
      ...(suggestion === undefined
        ? { allowed: ['copy', ...COMMON_ENCODERS.filter((name) => encoders.has(name))] }
        : { fix: sendInstead(suggestion) }),
    };
  }
  const letter = specifier?.charAt(0).toLowerCase() ?? '';
  const kind = { v: 'video', a: 'audio', s: 'subtitle' }[letter];
  if (kind === undefined || !/^[vas](?::|$)/i.test(specifier ?? '') || kind === encoder.kind) return undefined;
  return {
    code: 'WRONG_ENCODER',
    message: `"${value}" is an encoder for ${encoder.kind}, not for ${kind}.`,
    fix: `Send it as "c:${encoder.kind.charAt(0)}".`,
  };
}
