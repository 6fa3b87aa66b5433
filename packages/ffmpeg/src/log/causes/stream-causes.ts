import { type FailureRule, inputInvalid, unsupported, WORD } from '../failure-rule.ts';

/** Streams that the request asks for and the inputs do not have, and codecs that this build does not have. */
export const STREAM_CAUSES: readonly FailureRule[] = [
  unsupported(
    /^Invalid encoder type '([\w.-]{1,60})'$/,
    'The encoder $1 is for streams of another kind than the option names.',
    'Name the kind of its streams: "c:v" for video, "c:a" for audio, "c:s" for subtitles.',
  ),
  inputInvalid(
    // Since ffmpeg 7, the line about the map does not contain its value, but the next one does.
    /^(?:Failed to set value|Stream map) '([\w:?.[\] -]{1,60})' (?:for option 'map': Invalid argument|matches no streams.*)$/,
    'No stream of the inputs matches map "$1".',
    'Probe the inputs to see their streams, or add "?" to the map to make it optional.',
  ),
  inputInvalid(
    /^Output file (?:#\d+ )?does not contain any stream/,
    '$format can use no stream of the inputs.',
    'Send a file with such streams, or an output for those of the inputs: .mp4 for video, .m4a for audio, .srt for text subtitles, .mkv for image subtitles. Leave "vn", "an" and "sn" out if they drop what is meant.',
  ),
  unsupported(
    new RegExp(`^Unknown (encoder|decoder) '?${WORD}'?`),
    'This ffmpeg has no $1 $2.',
    'Choose another codec.',
  ),
  unsupported(
    new RegExp(`^The encoder '${WORD}' is experimental`),
    'The encoder $1 is experimental, and ffmpeg uses it only on request.',
    'Choose another encoder, such as "libopus" for "opus", or send "strict": "experimental" in "parameters".',
  ),
];
