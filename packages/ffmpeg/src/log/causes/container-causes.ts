import { addOption, type Edits, leaveOut, orElse, sendOption } from '@telecine/contract/domain/edit.ts';
import { type FailureRule, ffmpegFailed, unsupported, WORD } from '../failure-rule.ts';

/** The fix for a codec that the format cannot hold. */
export const OTHER_CODEC: Edits = {
  ...leaveOut('c'),
  or: 'send an output that ends in .mkv, which holds nearly every codec',
  note: 'Without a codec, the streams are encoded for the format.',
};

/** The rule for a sample rate that the format does not support. `requires`: a line that the log must have too. Default: none. */
export const unsupportedRate = (requires?: RegExp): FailureRule =>
  unsupported(
    /^(\w{1,20}) does not support (?:that )?sample rate(?: \d+)?, choose from \(([\d, ]{1,60})\)\.?$/i,
    'The format $1 supports only these sample rates: $2.',
    sendOption('ar', '44100'),
    requires,
  );

/** The fix for data streams, such as timecodes. */
const NO_DATA: Edits = { ...addOption('dn', ''), why: 'this leaves them out' };

/**
 * Failures that a muxer explains in the log (ffmpeg 5.1 and 7.1). A `shape` matches a whole line that has only ffmpeg's own words, numbers
 * and names, so the readable log may show this line to clients.
 */
export const CONTAINER_CAUSES: readonly FailureRule[] = [
  ffmpegFailed(
    // The muxer of GIF has no trailer without a frame.
    /^Error writing trailer of (?:file:)?out\/.{1,200}\.gif: Invalid argument$/,
    'Nothing was written: the requested part contains no frames.',
    'Send an earlier "ss", a longer part, or a higher frame rate: a part that is shorter than a frame has none.',
  ),
  unsupported(
    // These formats can store the codec as a video, but not as a cover.
    /^Could not find tag for codec (h264|hevc) in stream #\d+, codec not currently supported in container$/,
    '$format cannot hold a cover that is encoded as $1.',
    orElse(sendOption('c:v', 'copy'), '"vn": "" to leave the cover out'),
  ),
  unsupported(
    /^Could not find tag for codec (subrip|ass|webvtt) in stream #\d+, codec not currently supported in container$/,
    '$format cannot hold $1 subtitles.',
    orElse(addOption('c:s', 'mov_text'), '"sn": "" to leave the subtitles out'),
  ),
  unsupported(
    /^Could not find tag for codec ((?:hdmv_pgs|dvd|dvb)_subtitle) in stream #\d+, codec not currently supported in container$/,
    '$format cannot hold subtitles that are images ($1), and ffmpeg cannot read text in images.',
    orElse(addOption('sn', ''), 'an output that ends in .mkv, with "c:s": "copy", to keep them'),
  ),
  unsupported(
    /^(?:Could not find tag for codec none in stream #\d+, codec not currently supported in container|Only audio, video, and subtitles are supported for Matroska\.)$/,
    '$format cannot hold the data streams of the input, such as a time code.',
    NO_DATA,
  ),
  // The codecs that FLV holds at these rates. For others, the rate is not what is wrong.
  unsupportedRate(/^Audio codec '?(?:mp3|pcm_s16le|pcm_u8|adpcm_swf|nellymoser)'? (?:is )?not compatible with /),
  unsupported(
    new RegExp(`^(?:Audio|Video|Subtitle) codec '?${WORD}'? (?:is )?not compatible with `),
    '$format cannot hold $1.',
    OTHER_CODEC,
  ),
  unsupported(
    /^Could not find tag for codec ([\w.,:+-]{1,60}) in stream #\d+, codec not currently supported in container$/,
    '$format cannot hold $1.',
    OTHER_CODEC,
  ),
  unsupported(
    /^(?:Error initializing output stream \d+:\d+ -- )?(?:Subtitle encoding currently only possible from text to text or bitmap to bitmap|Only SUBTITLE_ASS type supported)/,
    'ffmpeg cannot convert between image subtitles and text subtitles.',
    'Copy them ("c:s": "copy") into a format that supports them, or drop them ("sn": "").',
  ),
  ffmpegFailed(
    /^(?:first pts (?:and dts )?value must be set|Can't write packet with unknown timestamp)$/,
    '$format needs a time for each frame, and a stream of the inputs has none, so it cannot be copied as it is.',
    {
      ...leaveOut('c'),
      why: 'then the streams are encoded',
      or: 'send "fflags": "+genpts" with the input in "inputs"',
    },
  ),
  unsupported(/^Option (\w{1,60}) not found\.$/, 'The format of the input or output has no option "$1".', {
    ...leaveOut('$1'),
    note: '"s" sets the size of the output, "r" its frame rate.',
  }),
];
