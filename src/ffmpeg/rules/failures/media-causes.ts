import type { Failure } from '../../../domain/failure.ts';
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
import { failed } from './media-failure.ts';
import {
  noStreamForFormat,
  severalStreamsForFormat,
  soundInPictureFormat,
  videoInSoundFormat,
} from './output-formats.ts';
import { cropTooLarge, notAPalette, outsidePicture, padTooSmall, unknownColors } from './pictures.ts';
import {
  absentSubtitles,
  notUtf8,
  otherKindOfSubtitles,
  picturesInSubtitlesFilter,
  subtitlesOfOtherFormat,
  unknownEncoding,
} from './subtitles.ts';
import { isAvi, noTimestamps, rawInput } from './undecodable.ts';

/** Explains one line of the log by what the run knows about its inputs. */
interface MediaRule {
  readonly shape: RegExp;
  /** undefined: the facts do not explain the line. */
  readonly explain: (match: RegExpExecArray, facts: MediaFacts) => Failure | undefined;
}

/** Codecs of subtitles as text, which MP4 holds only as mov_text. */
const SUBTITLES: ReadonlySet<string> = new Set(['subrip', 'ass', 'webvtt']);

/** Rows are tried in order, each on all lines. They explain better what rules without facts explain too. */
const MEDIA_RULES: readonly MediaRule[] = [
  {
    shape: /^Invalid encoder type '([\w.-]{1,60})'$/,
    explain: ([, encoder = ''], facts) => encoderOfOtherKind(encoder, facts),
  },
  {
    shape: /^Could not find codec parameters for stream \d+ \(Video: rawvideo, none\)/,
    explain: (_match, facts) => rawInput(facts),
  },
  {
    shape: /^The bit rate (\d+) bps is unsupported\. Please choose a value between (\d+) and (\d+)\.$/,
    explain: ([, sent, min, max], facts) => bitRateBeyond(Number(sent), Number(min), Number(max), facts),
  },
  {
    shape: /^Error setting encoder parameters: bad parameter/,
    explain: (_match, facts) => limitWithoutQuality(facts),
  },
  { shape: /^Quality-based encoding not supported, /, explain: (_match, facts) => bitRateOnly(facts) },
  { shape: /^bitrate not specified$/, explain: (_match, facts) => missingBitRate(facts) },
  {
    shape: /^(?:width|height) not divisible by 2 \((\d+)x(\d+)\)$/,
    explain: ([, width, height], facts) => oddSize(Number(width), Number(height), facts),
  },
  {
    shape: /^Stream specifier ':?([\w:#]{0,40})' in filtergraph description .{1,20000} matches no streams\.$/,
    explain: ([, specifier], facts) => absentLabel(facts, specifier),
  },
  {
    shape: /^Stream map '([\w:?.[\] -]{1,60})' matches no streams/,
    explain: ([, map = ''], facts) => absentMap(map, facts),
  },
  {
    // Since ffmpeg 7, the line about the map contains its value here.
    shape: /^Failed to set value '([\w:?.[\] -]{1,60})' for option 'map': Invalid argument$/,
    explain: ([, map = ''], facts) => absentMap(map, facts),
  },
  {
    shape: /^Output file (?:#\d+ )?does not contain any stream/,
    explain: (_match, facts) => subtitlesOfOtherFormat(facts) ?? noStreamForFormat(facts),
  },
  {
    shape: /^Invalid too big or non positive size for width '(-?\d+)' or height '(-?\d+)'$/,
    explain: ([, width, height], facts) => cropTooLarge(Number(width), Number(height), facts),
  },
  {
    shape: /^Padded dimensions cannot be smaller than input dimensions\.$/,
    explain: (_match, facts) => padTooSmall(facts),
  },
  {
    shape: /^Input (\d+) (height|width) (\d+) does not match input (\d+) (?:height|width) (\d+)\.$/,
    explain: ([, second, side, has, first, wanted], facts) =>
      stackedSizes(
        side === 'height' ? 'height' : 'width',
        { pad: Number(second), has },
        { pad: Number(first), wanted },
        facts,
      ),
  },
  {
    shape: /^First input link \S+ parameters \(size (\d+)x(\d+)\) do not match /,
    explain: ([, width, height], facts) => differentInputs(facts, { width: Number(width), height: Number(height) }),
  },
  {
    shape:
      /^Input link \S+ parameters \(.{1,80}\) do not match the corresponding output link \S+ parameters \((\d+)x(\d+), SAR \d+:\d+\)$/,
    explain: ([, width, height], facts) => differentInputs(facts, { width: Number(width), height: Number(height) }),
  },
  {
    shape:
      /^(?:First input link \S+ (?:timebase|frame rate) |Second input link |Width and height of input videos must be same\.|Input frame sizes do not match|The inputs needs to be a constant frame rate)/,
    explain: (_match, facts) => differentInputs(facts),
  },
  {
    shape: /^width and height must be a multiple of 4$/,
    explain: (_match, facts) => sizeForH263(facts),
  },
  {
    shape: /^Palette input must contain exactly 256 pixels\. Specified input has (\d+x\d+)=\d+ pixels$/,
    explain: ([, size], facts) => notAPalette(size ?? '', facts),
  },
  {
    shape: /^Unable to locate subtitle stream in (in\/[\w./%-]{1,100})$/,
    explain: ([, logical], facts) => absentSubtitles(logical ?? '', facts),
  },
  {
    shape:
      /Subtitle encoding currently only possible from text to text or bitmap to bitmap$|^Could not find tag for codec (?:hdmv_pgs|dvd|dvb)_subtitle in stream /,
    explain: (_match, facts) => otherKindOfSubtitles(facts),
  },
  {
    shape:
      /^Could not find tag for codec (\w{1,40}) in stream #\d+, codec not currently supported in container$|^(\w{1,30}) only supported in MP4\.$|^(?:Audio|Video) codec '?(\w{1,40})'? (?:for stream \d+ )?(?:is )?not compatible with /,
    explain: ([, codec, inMp4, inFlv], facts) =>
      codecNotHeld(codec ?? inMp4 ?? inFlv ?? '', facts) ??
      (SUBTITLES.has(codec ?? '') ? subtitlesNotHeld(codec ?? '', facts) : undefined),
  },
  {
    shape: /^(\w{1,30}) in MP4 support is experimental, add '-strict -2' if you want to use it\.$/,
    explain: ([, codec], facts) => experimentalCopy(codec ?? '', facts),
  },
  {
    shape: /^Only text based subtitles are currently supported$/,
    explain: (_match, facts) => picturesInSubtitlesFilter(facts),
  },
  {
    shape: /^Invalid UTF-8 in decoded subtitles text; maybe missing -sub_charenc option$/,
    explain: (_match, facts) => notUtf8(facts),
  },
  {
    shape: /^Unable to open iconv context with input character encoding "([^"]{1,60})"$/,
    explain: ([, name = ''], facts) => unknownEncoding(name, facts),
  },
  {
    shape: /^(?:first pts (?:and dts )?value must be set|Can't write packet with unknown timestamp)$/,
    explain: (_match, facts) => noTimestamps(facts),
  },
  {
    shape: /^Codec '(\w+)' \(\d+\) is not supported by the bitstream filter '(\w+)'\. Supported codecs are: (\w+) /,
    explain: ([, codec, filter, wanted], facts) =>
      isAvi(facts)
        ? failed(
            'UNSUPPORTED',
            `The bitstream filter ${filter} does not accept the codec ${codec} of ${facts.pathOf(0)}, only ${wanted}.`,
            `Leave the bitstream filter out, and send "fflags": "+genpts" with the input: "inputs": ${JSON.stringify(facts.inputsWith(0, { fflags: '+genpts' }))}.`,
          )
        : undefined,
  },
  {
    shape: /^Unsupported input (primaries|transfer characteristics|color space|colorspace) \d+ \(\w+\)$/,
    explain: ([, what], facts) => unknownColors('colorspace', what ?? '', facts),
  },
  {
    shape: /^code 3074: no path between colorspaces$/,
    explain: (_match, facts) => unknownColors('zscale', 'primaries, transfer or matrix', facts),
  },
  {
    shape: /^Cannot find a matching stream for unlabeled input pad (?:\d+ on filter Parsed_)?([a-z]\w*?)(?:_\d+)?$/,
    explain: ([, name = ''], facts) => tooManyInputs(name, facts),
  },
  {
    shape: /^Automatic encoder selection failed/,
    explain: (_match, facts) => videoInSoundFormat(facts) ?? soundInPictureFormat(facts),
  },
  {
    shape: /^Selected stream "(\d+)" not found!$/,
    explain: ([, stream = ''], facts) => absentSetStream(stream, facts),
  },
  {
    shape: /^Invalid (chapter|program) index (\d+) in metadata specifier\.$/,
    explain: ([, what, index], facts) => absentOwner(what === 'chapter' ? 'c' : 'p', Number(index), facts),
  },
  {
    shape: /^Invalid (chapter|program) index (\d+) while processing metadata maps\.$/,
    explain: ([, what, index], facts) => absentInMap(what === 'chapter' ? 'c' : 'p', Number(index), facts),
  },
  {
    shape: /^Logo area is outside of the frame\.$/,
    explain: (_match, facts) => outsidePicture('delogo', facts),
  },
  {
    shape:
      /^No audio stream present\.$|^Invalid audio stream\. Exactly one \w+ audio stream is required\.$|^Could not write header/,
    explain: (_match, facts) => severalStreamsForFormat(facts) ?? videoInSoundFormat(facts),
  },
];

/** The first rule that explains one of the lines. The lines must not be forged by media. */
export function explainByMedia(lines: readonly { readonly text: string }[], facts: MediaFacts): Failure | undefined {
  for (const { shape, explain } of MEDIA_RULES)
    for (const { text } of lines) {
      const match = shape.exec(text);
      const failure = match === null ? undefined : explain(match, facts);
      if (failure !== undefined) return failure;
    }
  return undefined;
}
