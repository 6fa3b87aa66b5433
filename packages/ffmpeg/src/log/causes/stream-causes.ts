import { type FailureRule, inputInvalid, unsupported, WORD } from '../failure-rule.ts';

/** Streams that the request asks for and the inputs do not have, and codecs that this build does not have. */
export const STREAM_CAUSES: readonly FailureRule[] = [
  inputInvalid(
    // Since ffmpeg 7, the line about the map does not contain its value. This line contains it.
    /^Failed to set value '([\w:?.[\] -]{1,60})' for option 'map': Invalid argument$/,
    'No stream of the inputs matches map "$1".',
    'Probe the inputs to see their streams, or add "?" to the map to make it optional.',
    /^Stream map '' matches no streams/,
  ),
  inputInvalid(
    /^Stream map '([\w:?.[\] -]{0,60})' matches no streams/,
    'No stream of the inputs matches map "$1".',
    'Probe the inputs to see their streams, or add "?" to the map to make it optional.',
  ),
  inputInvalid(
    /^Output file (?:#\d+ )?does not contain any stream/,
    'The inputs contain no stream that the output format can use.',
    'Choose a format for the streams of the inputs (audio, video, subtitles), or remove vn, an, sn.',
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
