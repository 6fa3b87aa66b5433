import { closestMatch } from '../../../domain/closest-match.ts';
import { deviceEncoderError } from '../../allowlist/device-codecs.ts';
import { type Catalogue, encoderNamed } from '../../catalogue/catalogue.ts';
import { quoted, sendInstead, type ValueError } from '../../values/value-error.ts';

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

/** What is wrong with the encoder that `c:v` names: there is none, it opens a device, or it is for another kind. */
export function checkEncoder(
  specifier: string | undefined,
  value: string,
  catalogue: Catalogue,
): ValueError | undefined {
  if (value === 'copy') return undefined;
  const { encoders } = catalogue.lists;
  const needsDevice = deviceEncoderError(value, encoders);
  if (needsDevice !== undefined) return needsDevice;
  const encoder = encoderNamed(catalogue, value);
  if (encoder === undefined) {
    const usual = USUAL_NAMES.get(value.toLowerCase());
    const near =
      usual !== undefined && encoderNamed(catalogue, usual) !== undefined
        ? usual
        : closestMatch(value, ['copy', ...encoders.keys()]);
    return {
      code: 'UNKNOWN_ENCODER',
      message: `The installed ffmpeg has no encoder ${quoted(value)}.`,
      ...(near === undefined
        ? { allowed: ['copy', ...COMMON_ENCODERS.filter((name) => encoders.has(name))] }
        : { fix: sendInstead(near) }),
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
