import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { MediaFacts } from '../facts/media-facts.ts';
import { absentInMap, absentOwner } from './absent-chapters.ts';
import { absentLabel, absentMap } from './absent-streams.ts';
import { absentSetStream } from './absent-variants.ts';
import { differentInputs } from './different-inputs.ts';
import {
  bitRateBeyond,
  bitRateOnly,
  codecNotHeld,
  encoderOfOtherKind,
  experimentalCopy,
  limitWithoutQuality,
  missingBitRate,
  oddSize,
  sizeForH263,
  subtitlesNotHeld,
} from './encoders.ts';
import { stackedSizes, tooManyInputs } from './joined-inputs.ts';
import { unsupportedRequest } from './media-failure.ts';
import {
  audioInImageFormat,
  noStreamForFormat,
  severalStreamsForFormat,
  videoInAudioFormat,
} from './output-formats.ts';
import {
  absentSubtitles,
  imagesInSubtitlesFilter,
  notUtf8,
  otherKindOfSubtitles,
  subtitlesOfOtherFormat,
  unknownEncoding,
} from './subtitles.ts';
import { isAvi, noTimestamps, rawInput } from './undecodable.ts';
import { cropTooLarge, notAPalette, outsideFrame, padTooSmall, unknownColors } from './video-filters.ts';

/** Explains a log line by facts about the inputs. `groups`: captures of the pattern. undefined: the facts do not explain the line. */
type Explain = (facts: MediaFacts, ...groups: readonly string[]) => Failure | undefined;

/** Codecs of text subtitles that MP4 does not hold: it holds only `mov_text`. */
const SUBTITLES: ReadonlySet<string> = new Set(['subrip', 'ass', 'webvtt']);

const sized: Explain = (facts, width, height) =>
  differentInputs(facts, { width: Number(width), height: Number(height) });

/** The first pattern wins that matches a line and whose function explains it. `FAILURE_RULES` explain some lines less precisely. */
const MEDIA_RULES: readonly (readonly [shape: RegExp, explain: Explain])[] = [
  [/^Invalid encoder type '([\w.-]{1,60})'$/, encoderOfOtherKind],
  [/^Could not find codec parameters for stream \d+ \(Video: rawvideo, none\)/, rawInput],
  [/^The bit rate (\d+) bps is unsupported\. Please choose a value between (\d+) and (\d+)\.$/, bitRateBeyond],
  [/^Error setting encoder parameters: bad parameter/, limitWithoutQuality],
  [/^Quality-based encoding not supported, /, bitRateOnly],
  [/^bitrate not specified$/, missingBitRate],
  [/^(?:width|height) not divisible by 2 \((\d+)x(\d+)\)$/, oddSize],
  [/^Stream specifier ':?([\w:#]{0,40})' in filtergraph description .{1,20000} matches no streams\.$/, absentLabel],
  [/^Stream map '([\w:?.[\] -]{1,60})' matches no streams/, absentMap],
  // Since ffmpeg 7, this line contains the value of the `map`.
  [/^Failed to set value '([\w:?.[\] -]{1,60})' for option 'map': Invalid argument$/, absentMap],
  [
    /^Output file (?:#\d+ )?does not contain any stream/,
    (facts) => subtitlesOfOtherFormat(facts) ?? noStreamForFormat(facts),
  ],
  [
    /^Invalid too big or non positive size for width '(-?\d+)' or height '(-?\d+)'$/,
    (facts, width, height) => cropTooLarge(facts, Number(width), Number(height)),
  ],
  [/^Padded dimensions cannot be smaller than input dimensions\.$/, padTooSmall],
  [/^Input (\d+) (height|width) (\d+) does not match input (\d+) (?:height|width) (\d+)\.$/, stackedSizes],
  [/^First input link \S+ parameters \(size (\d+)x(\d+)\) do not match /, sized],
  [
    /^Input link \S+ parameters \(.{1,80}\) do not match the corresponding output link \S+ parameters \((\d+)x(\d+), SAR \d+:\d+\)$/,
    sized,
  ],
  [
    /^(?:First input link \S+ (?:timebase|frame rate) |Second input link |Width and height of input videos must be same\.|Input frame sizes do not match|The inputs needs to be a constant frame rate)/,
    (facts) => differentInputs(facts),
  ],
  [/^width and height must be a multiple of 4$/, sizeForH263],
  [/^Palette input must contain exactly 256 pixels\. Specified input has (\d+x\d+)=\d+ pixels$/, notAPalette],
  [/^Unable to locate subtitle stream in (in\/[\w./%-]{1,100})$/, absentSubtitles],
  [
    /Subtitle encoding currently only possible from text to text or bitmap to bitmap$|^Could not find tag for codec (?:hdmv_pgs|dvd|dvb)_subtitle in stream /,
    otherKindOfSubtitles,
  ],
  [
    /^Could not find tag for codec (\w{1,40}) in stream #\d+, codec not currently supported in container$|^(\w{1,30}) only supported in MP4\.$|^(?:Audio|Video) codec '?(\w{1,40})'? (?:for stream \d+ )?(?:is )?not compatible with /,
    (facts, codec = '', inMp4 = '', inFlv = '') =>
      codecNotHeld(facts, codec || inMp4 || inFlv) ??
      (SUBTITLES.has(codec) ? subtitlesNotHeld(facts, codec) : undefined),
  ],
  [/^(\w{1,30}) in MP4 support is experimental, add '-strict -2' if you want to use it\.$/, experimentalCopy],
  [/^Only text based subtitles are currently supported$/, imagesInSubtitlesFilter],
  [/^Invalid UTF-8 in decoded subtitles text; maybe missing -sub_charenc option$/, notUtf8],
  [/^Unable to open iconv context with input character encoding "([^"]{1,60})"$/, unknownEncoding],
  [/^(?:first pts (?:and dts )?value must be set|Can't write packet with unknown timestamp)$/, noTimestamps],
  [
    /^Codec '(\w+)' \(\d+\) is not supported by the bitstream filter '(\w+)'\. Supported codecs are: (\w+) /,
    (facts, codec, filter, wanted) =>
      isAvi(facts)
        ? unsupportedRequest(
            `The bitstream filter ${filter} does not accept the codec ${codec} of ${facts.pathOf(0)}, only ${wanted}.`,
            `Leave the bitstream filter out, and send "fflags": "+genpts" with the input: "inputs": ${JSON.stringify(facts.inputsWith(0, { fflags: '+genpts' }))}.`,
          )
        : undefined,
  ],
  [
    /^Unsupported input (primaries|transfer characteristics|color space|colorspace) \d+ \(\w+\)$/,
    (facts, what = '') => unknownColors(facts, 'colorspace', what),
  ],
  [
    /^code 3074: no path between colorspaces$/,
    (facts) => unknownColors(facts, 'zscale', 'primaries, transfer or matrix'),
  ],
  [
    /^Cannot find a matching stream for unlabeled input pad (?:\d+ on filter Parsed_)?([a-z]\w*?)(?:_\d+)?$/,
    tooManyInputs,
  ],
  [/^Automatic encoder selection failed/, (facts) => videoInAudioFormat(facts) ?? audioInImageFormat(facts)],
  [/^Selected stream "(\d+)" not found!$/, absentSetStream],
  [/^Invalid (chapter|program) index (\d+) in metadata specifier\.$/, absentOwner],
  [/^Invalid (chapter|program) index (\d+) while processing metadata maps\.$/, absentInMap],
  [/^Logo area is outside of the frame\.$/, (facts) => outsideFrame(facts, 'delogo')],
  [
    /^No audio stream present\.$|^Invalid audio stream\. Exactly one \w+ audio stream is required\.$|^Could not write header/,
    (facts) => severalStreamsForFormat(facts) ?? videoInAudioFormat(facts),
  ],
];

/** Returns the first explanation of any of the lines. The caller must first remove lines that text in a media file may have forged. */
export function explainByMedia(facts: MediaFacts, lines: readonly { readonly text: string }[]): Failure | undefined {
  for (const [shape, explain] of MEDIA_RULES)
    for (const { text } of lines) {
      const match = shape.exec(text);
      const failure = match === null ? undefined : explain(facts, ...match.slice(1));
      if (failure !== undefined) return failure;
    }
  return undefined;
}
