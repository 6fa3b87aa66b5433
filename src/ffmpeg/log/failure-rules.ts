import { askOperator, hint } from '../../domain/hint.ts';
import { CONTAINER_CAUSES, OTHER_CODEC } from './causes/container-causes.ts';
import { DEVICE_CAUSES } from './causes/device-causes.ts';
import { ENCODER_CAUSES } from './causes/encoder-causes.ts';
import { FILTER_CAUSES } from './causes/filter-causes.ts';
import { VAGUE_CAUSES } from './causes/vague-causes.ts';
import type { FailureRule } from './failure-rule.ts';

export const LARGE_FILE_FIX =
  'Lower the bit rate or the duration of the output (a looped input needs "t"), or ask the operator for a higher limit.';

const WORD = String.raw`([\w.,:+-]{1,60})`;
const INPUT = String.raw`(?<input>in\/[\w./%-]{1,100})`;

/** The errors that demuxers return for a file that they cannot read. */
const UNREADABLE =
  'End of file|Input\\/output error|Invalid argument|Operation not permitted|Not yet implemented in FFmpeg, patches welcome|' +
  'Numerical result out of range|Result too large|Unknown error occurred|Error number -\\d+ occurred|Function not implemented';

/** Printed by x264 and x265 without ffmpeg's logger, so without a level. ffmpeg itself gives no reason in this case. */
const ENCODER_OUT_OF_MEMORY = /^x26[45] \[error\]: malloc of size \d+ failed$/;

/** The errors that x264 and x265 print without ffmpeg's logger. A rule for one requires a coloured line of ffmpeg too. */
export const ENCODER_LIBRARY_LINE = /^x26[45] \[error\]: [\w .,:'()-]{1,200}$/;

const OUT_OF_MEMORY = {
  code: 'LIMIT_EXCEEDED',
  message: 'ffmpeg needed more memory or threads than a job may use$limits.',
  limits: ['pixels', 'memory', 'processes'],
  fix: 'Use a smaller picture size, fewer inputs, a faster preset or fewer threads ("threads"), or ask the operator for higher limits.',
} as const satisfies Omit<FailureRule, 'shape'>;

/** A line that names the input that could not be opened. */
export const INPUT_COMPLAINT = new RegExp(`${INPUT}(?=: [A-Z]|\\.$)`);

/**
 * Ordered from the most specific to the least specific: the first rule that matches any line applies. The patterns
 * match the wordings of all releases from ffmpeg 5.1 to 9.
 */
export const FAILURE_RULES: readonly FailureRule[] = [
  {
    // Only at the end of the line: the text before may be a file name chosen by the client.
    shape: /(?:: |\()(?:No space left on device|Disk quota exceeded)\)?$/,
    code: 'NO_SPACE',
    message: 'The disk is full: the output could not be written.',
    fix: 'Free disk space, or lower the bit rate or the duration of the output.',
  },
  {
    // A program that starts ffmpeg. It prints no level, and only lines without one before ffmpeg's first line count.
    shape: /^(?:.*\/)?(bwrap|prlimit|setpriv|timeout|nice): /,
    code: 'FFMPEG_FAILED',
    message: 'ffmpeg could not be started: $1 failed on this machine.',
    fix: hint`${askOperator('read the log of the service, which has the reason, and to run "telecine doctor"')}.`,
  },
  {
    // Not NO_SPACE, which is retried: a retry would hit the same limit.
    shape: /: File too large$/,
    code: 'LIMIT_EXCEEDED',
    message: 'The output exceeded the maximum file size$limits.',
    limits: ['output'],
    fix: LARGE_FILE_FIX,
  },
  ...DEVICE_CAUSES,
  {
    // Messages of ffmpeg, libvpx, libaom and SVT-AV1.
    shape:
      /Cannot allocate memory|: Resource temporarily unavailable$|: Memory allocation error$|: insufficient resources \(0x[0-9a-f]{1,8}\)$/,
    ...OUT_OF_MEMORY,
  },
  {
    shape: ENCODER_OUT_OF_MEMORY,
    // A coloured line of ffmpeg, which no media can forge.
    requires:
      /^(?:Error submitting video frame to the encoder$|(?:Error initializing output stream \d+:\d+ -- )?Error while opening encoder )/,
    ...OUT_OF_MEMORY,
  },
  {
    shape: /not on whitelist/,
    code: 'UNSUPPORTED',
    message: 'The format of the input $input is not supported.',
    isNotOpened: true,
    fix: 'Send a media file. Playlists, scripts and URLs inside files are not followed.',
  },
  {
    shape: /detected only with low score of \d+, misdetection possible!$/,
    requires: INPUT_COMPLAINT,
    code: 'INPUT_INVALID',
    message: 'The input $input is not a media file that this service can read, whatever its extension.',
    fix: 'Check that the file plays and is complete.',
  },
  {
    shape: /moov atom not found/,
    code: 'INPUT_INVALID',
    message: 'The input $input is an incomplete MP4 or MOV file: its index (moov atom) is missing.',
    fix: 'Send the complete file. If it is still being copied or recorded, send the request again when that has ended.',
  },
  {
    shape: new RegExp(`${INPUT}: Invalid data found when processing input`),
    code: 'INPUT_INVALID',
    message: 'ffmpeg cannot read the input $1: it is damaged or not a supported media file.',
    fix: 'Check that the file plays and is complete.',
  },
  {
    shape: /^Error opening input: Invalid data found when processing input$/,
    code: 'INPUT_INVALID',
    message: 'ffmpeg cannot read the input $input: it is damaged or not a supported media file.',
    fix: 'Check that the file plays and is complete.',
  },
  {
    shape: /^Error opening input: Permission denied$/,
    code: 'INPUT_INVALID',
    message: 'The service has no permission to read the input $input.',
    fix: 'Make the file readable for the user that runs the service.',
  },
  {
    shape: /^Error opening input: No such file or directory$/,
    code: 'INPUT_NOT_FOUND',
    message: 'The input $input was removed before ffmpeg opened it.',
    fix: 'Keep the inputs in place until the job has finished.',
  },
  {
    shape: new RegExp(`${INPUT}: Permission denied`),
    code: 'INPUT_INVALID',
    message: 'The service has no permission to read the input $1.',
    fix: 'Make the file readable for the user that runs the service.',
  },
  {
    shape: new RegExp(`${INPUT}: No such file or directory`),
    code: 'INPUT_NOT_FOUND',
    message: 'The input $1 was removed before ffmpeg opened it.',
    fix: 'Keep the inputs in place until the job has finished.',
  },
  {
    shape: /^Decoder \(codec none\) not found/,
    code: 'INPUT_INVALID',
    message: 'An input contains a stream with a codec that ffmpeg does not know.',
    fix: 'Check that the file plays, or drop streams of that type (vn, an, sn).',
  },
  {
    shape: new RegExp(`^Decoder \\(codec ${WORD}\\) not found`),
    code: 'UNSUPPORTED',
    message: 'This ffmpeg has no decoder for $1.',
    fix: 'Drop streams of that type (vn, an, sn), copy them, or send another file.',
  },
  {
    // Caused by a decoder that reported no size, not by an option of the request.
    shape: /^Error setting option video_size to value 0x0\.$/,
    code: 'INPUT_INVALID',
    message: 'An input contains no decodable video: even its size is unknown.',
    fix: 'Check that the file plays and is complete, or drop its video (vn).',
  },
  {
    shape: /^skipping unsupported chunk: ANI[MF]$/,
    requires: /^image data not found$/,
    code: 'UNSUPPORTED',
    message: 'An input is an animated WebP, which this ffmpeg cannot read.',
    fix: 'Send the animation as a GIF, an APNG or a film.',
  },
  {
    shape: /^Cannot determine format of input (?:stream )?[\w:#.]{1,40} after EOF/,
    code: 'INPUT_INVALID',
    message: 'An input contains a stream that cannot be decoded.',
    fix: 'Leave "c" out of the options of the input. Otherwise check that the file plays, or drop streams of that type (vn, an, sn).',
  },
  {
    shape: new RegExp(`${INPUT}: could not find codec parameters`),
    code: 'INPUT_INVALID',
    message: 'ffmpeg cannot read the input $1: it is damaged or not a supported media file.',
    fix: 'Check that the file plays and is complete.',
  },
  {
    // Since ffmpeg 7 the line about the map no longer contains its value.
    shape: /^Failed to set value '([\w:?.[\] -]{1,60})' for option 'map': Invalid argument$/,
    requires: /^Stream map '' matches no streams/,
    code: 'INPUT_INVALID',
    message: 'No stream of the inputs matches map "$1".',
    fix: 'Probe the inputs to see their streams, or add "?" to the map to make it optional.',
  },
  {
    shape: /^Stream map '([\w:?.[\] -]{0,60})' matches no streams/,
    code: 'INPUT_INVALID',
    message: 'No stream of the inputs matches map "$1".',
    fix: 'Probe the inputs to see their streams, or add "?" to the map to make it optional.',
  },
  {
    shape: /^Output file (?:#\d+ )?does not contain any stream/,
    code: 'INPUT_INVALID',
    message: 'The inputs contain no stream that the output format can use.',
    fix: 'Choose a format for the streams of the inputs (audio, video, subtitles), or remove vn, an, sn.',
  },
  {
    shape: new RegExp(`^Unknown (encoder|decoder) '?${WORD}'?`),
    code: 'UNSUPPORTED',
    message: 'This ffmpeg has no $1 $2.',
    fix: 'Choose another codec.',
  },
  {
    shape: new RegExp(`^The encoder '${WORD}' is experimental`),
    code: 'UNSUPPORTED',
    message: 'The encoder $1 is experimental, and ffmpeg uses it only on request.',
    fix: 'Choose another encoder, such as "libopus" for "opus", or send "strict": "experimental" in "parameters".',
  },
  ...CONTAINER_CAUSES,
  {
    shape: /^(Only [\w ,]{1,150} (?:is|are) supported for \w{1,20})\.?$/,
    code: 'UNSUPPORTED',
    message: '$1.',
    fix: 'Choose codecs that the format supports, or another format.',
  },
  {
    shape: new RegExp(`^(?:Audio|Video|Subtitle) codec '?${WORD}'? (?:is )?not compatible with `),
    code: 'UNSUPPORTED',
    message: '$format cannot hold $1.',
    fix: OTHER_CODEC,
  },
  {
    shape: new RegExp(`^(?:Codec )?${WORD}(?: codec)? (?:is )?not supported in `),
    code: 'UNSUPPORTED',
    message: '$format cannot hold $1.',
    fix: OTHER_CODEC,
  },
  {
    shape:
      /^(?:Error initializing output stream \d+:\d+ -- )?Subtitle encoding currently only possible from text to text or bitmap to bitmap/,
    code: 'UNSUPPORTED',
    message: 'ffmpeg cannot convert between image subtitles and text subtitles.',
    fix: 'Copy them ("c:s": "copy") into a format that supports them, or drop them ("sn": "").',
  },
  ...FILTER_CAUSES,
  ...ENCODER_CAUSES,
  {
    shape: new RegExp(`^No such filter: '${WORD}'`),
    code: 'UNSUPPORTED',
    message: 'This ffmpeg has no filter $1.',
    fix: 'Choose another filter.',
  },
  {
    shape: /^Option '(\w{1,60})' not found$/,
    code: 'FFMPEG_FAILED',
    message: 'A filter has no option "$1".',
    fix: 'Send filter options as name=value, separated by ":". Values without a name are assigned in the order of the filter.',
  },
  {
    shape: /^Error applying option '(\w{1,60})' to filter '(\w{1,60})': Option not found/,
    code: 'FFMPEG_FAILED',
    message: 'The filter $2 has no option "$1".',
    fix: 'Send filter options as name=value, separated by ":". Values without a name are assigned in the order of the filter.',
  },
  {
    shape: /^((?:width|height) not divisible by \d+(?: \(\d+x\d+\))?)/,
    code: 'FFMPEG_FAILED',
    message: 'The encoder rejected the picture size: $1.',
    fix: 'Choose an even width and height. In "scale", -2 keeps the aspect ratio and rounds to an even number.',
  },
  {
    shape: new RegExp(`^Error setting option (\\w{1,60}) to value ${WORD}\\.$`),
    code: 'FFMPEG_FAILED',
    message: 'ffmpeg rejected the value "$2" of the option "$1".',
    fix: 'Send a value that the ffmpeg manual lists for this option.',
  },
  {
    // This rule comes after all rules about options: the file is the cause of any other error in opening an input.
    shape: new RegExp(`^(?:Error opening input: )?(?:file:)?${INPUT}: (?:${UNREADABLE})$`),
    code: 'INPUT_INVALID',
    message: 'ffmpeg cannot read the input $1: it is damaged or not a supported media file.',
    fix: 'Check that the file plays and is complete.',
  },
  {
    shape: new RegExp(`^Error opening input: (?:${UNREADABLE})$`),
    code: 'INPUT_INVALID',
    message: 'ffmpeg cannot read the input $input: it is damaged or not a supported media file.',
    fix: 'Check that the file plays and is complete.',
  },
  ...VAGUE_CAUSES,
];
