import { askOperator, hint } from '@telecine/contract/domain/hint.ts';
import { CONTAINER_CAUSES, OTHER_CODEC } from './causes/container-causes.ts';
import { DEVICE_CAUSES } from './causes/device-causes.ts';
import { ENCODER_CAUSES } from './causes/encoder-causes.ts';
import { FILTER_CAUSES } from './causes/filter-causes.ts';
import { VAGUE_CAUSES } from './causes/vague-causes.ts';
import { type FailureRule, ffmpegFailed, inputInvalid, unsupported } from './failure-rule.ts';

export const LARGE_FILE_FIX =
  'Lower the bit rate or the duration of the output (a looped input needs "t"), or ask the operator for a higher limit.';

const WORD = String.raw`([\w.,:+-]{1,60})`;
const INPUT = String.raw`(?<input>in\/[\w./%-]{1,100})`;

const unreadable = (shape: RegExp, input: '$1' | '$input'): FailureRule =>
  inputInvalid(
    shape,
    `ffmpeg cannot read the input ${input}: it is damaged or not a supported media file.`,
    'Check that the file plays and is complete.',
  );

const denied = (shape: RegExp, input: '$1' | '$input'): FailureRule =>
  inputInvalid(
    shape,
    `The service has no permission to read the input ${input}.`,
    'Make the file readable for the user that runs the service.',
  );

const removed = (shape: RegExp, input: '$1' | '$input'): FailureRule => ({
  shape,
  code: 'INPUT_NOT_FOUND',
  message: `The input ${input} was removed before ffmpeg opened it.`,
  fix: 'Keep the inputs in place until the job has finished.',
});

/** What demuxers log for a file that they cannot read. */
const READ_ERRORS =
  'End of file|Input\\/output error|Invalid argument|Operation not permitted|Not yet implemented in FFmpeg, patches welcome|' +
  'Numerical result out of range|Result too large|Unknown error occurred|Error number -\\d+ occurred|Function not implemented';

/** Matches errors that x264 and x265 print themselves, without a level. A rule for them must require a line of ffmpeg too. */
export const ENCODER_LIBRARY_LINE = /^x26[45] \[error\]: [\w .,:'()-]{1,200}$/;

const OUT_OF_MEMORY = {
  code: 'LIMIT_EXCEEDED',
  message: 'ffmpeg needed more memory or threads than a job may use$limits.',
  limits: ['pixels', 'memory', 'processes'],
  fix: 'Use a smaller frame size, fewer inputs, a faster preset or fewer threads ("threads"), or ask the operator for higher limits.',
} as const satisfies Omit<FailureRule, 'shape'>;

const FILTER_OPTIONS_FIX =
  'Send filter options as name=value, separated by ":". Values without a name are assigned in the order of the filter.';

/** Matches a line about an input that ffmpeg could not open. */
export const INPUT_COMPLAINT = new RegExp(`${INPUT}(?=: [A-Z]|\\.$)`);

/** The rules for ffmpeg 5.1 to 9, from the most to the least specific. The first rule that matches any line of the log applies. */
export const FAILURE_RULES: readonly FailureRule[] = [
  {
    // Only the end of the line counts, because the text before it may be a file name that the client chose.
    shape: /(?:: |\()(?:No space left on device|Disk quota exceeded)\)?$/,
    code: 'NO_SPACE',
    message: 'The disk is full: the output could not be written.',
    fix: 'Free disk space, or lower the bit rate or the duration of the output.',
  },
  ffmpegFailed(
    // The lines of programs that start ffmpeg have no level. They count only before ffmpeg's first line (`isComplaint`).
    /^(?:.*\/)?(bwrap|prlimit|setpriv|timeout|nice): /,
    'ffmpeg could not be started: $1 failed on this machine.',
    hint`${askOperator('read the log of the service, which has the reason, and to run "telecine doctor"')}.`,
  ),
  {
    // The code is not NO_SPACE, because the service would retry the job, and a retry would exceed the same limit.
    shape: /: File too large$/,
    code: 'LIMIT_EXCEEDED',
    message: 'The output exceeded the maximum file size$limits.',
    limits: ['output'],
    fix: LARGE_FILE_FIX,
  },
  ...DEVICE_CAUSES,
  {
    // Matches messages of ffmpeg, libvpx, libaom and SVT-AV1.
    shape:
      /Cannot allocate memory|: Resource temporarily unavailable$|: Memory allocation error$|: insufficient resources \(0x[0-9a-f]{1,8}\)$/,
    ...OUT_OF_MEMORY,
  },
  {
    shape: /^x26[45] \[error\]: malloc of size \d+ failed$/,
    // Requires a coloured line of ffmpeg, which media cannot forge.
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
  inputInvalid(
    /detected only with low score of \d+, misdetection possible!$/,
    'The input $input is not a media file that this service can read, whatever its extension.',
    'Check that the file plays and is complete.',
    INPUT_COMPLAINT,
  ),
  inputInvalid(
    /moov atom not found/,
    'The input $input is an incomplete MP4 or MOV file: its index (moov atom) is missing.',
    'Send the complete file. If it is still being copied or recorded, send the request again when that has ended.',
  ),
  unreadable(new RegExp(`${INPUT}: Invalid data found when processing input`), '$1'),
  unreadable(/^Error opening input: Invalid data found when processing input$/, '$input'),
  denied(/^Error opening input: Permission denied$/, '$input'),
  removed(/^Error opening input: No such file or directory$/, '$input'),
  denied(new RegExp(`${INPUT}: Permission denied`), '$1'),
  removed(new RegExp(`${INPUT}: No such file or directory`), '$1'),
  inputInvalid(
    /^Decoder \(codec none\) not found/,
    'An input contains a stream with a codec that ffmpeg does not know.',
    'Check that the file plays, or drop streams of that type (vn, an, sn).',
  ),
  unsupported(
    new RegExp(`^Decoder \\(codec ${WORD}\\) not found`),
    'This ffmpeg has no decoder for $1.',
    'Drop streams of that type (vn, an, sn), copy them, or send another file.',
  ),
  inputInvalid(
    // A decoder reported no frame size. The request did not send this option; ffmpeg sets it itself.
    /^Error setting option video_size to value 0x0\.$/,
    'An input contains no decodable video: even its size is unknown.',
    'Check that the file plays and is complete, or drop its video (vn).',
  ),
  unsupported(
    /^skipping unsupported chunk: ANI[MF]$/,
    'An input is an animated WebP, which this ffmpeg cannot read.',
    'Send the animation as a GIF, an APNG or a video.',
    /^image data not found$/,
  ),
  inputInvalid(
    /^Cannot determine format of input (?:stream )?[\w:#.]{1,40} after EOF/,
    'An input contains a stream that cannot be decoded.',
    'Leave "c" out of the options of the input. Otherwise check that the file plays, or drop streams of that type (vn, an, sn).',
  ),
  unreadable(new RegExp(`${INPUT}: could not find codec parameters`), '$1'),
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
  ...CONTAINER_CAUSES,
  unsupported(
    /^(Only [\w ,]{1,150} (?:is|are) supported for \w{1,20})\.?$/,
    '$1.',
    'Choose codecs that the format supports, or another format.',
  ),
  unsupported(
    new RegExp(`^(?:Audio|Video|Subtitle) codec '?${WORD}'? (?:is )?not compatible with `),
    '$format cannot hold $1.',
    OTHER_CODEC,
  ),
  unsupported(
    new RegExp(`^(?:Codec )?${WORD}(?: codec)? (?:is )?not supported in `),
    '$format cannot hold $1.',
    OTHER_CODEC,
  ),
  unsupported(
    /^(?:Error initializing output stream \d+:\d+ -- )?Subtitle encoding currently only possible from text to text or bitmap to bitmap/,
    'ffmpeg cannot convert between image subtitles and text subtitles.',
    'Copy them ("c:s": "copy") into a format that supports them, or drop them ("sn": "").',
  ),
  ...FILTER_CAUSES,
  ...ENCODER_CAUSES,
  unsupported(new RegExp(`^No such filter: '${WORD}'`), 'This ffmpeg has no filter $1.', 'Choose another filter.'),
  ffmpegFailed(/^Option '(\w{1,60})' not found$/, 'A filter has no option "$1".', FILTER_OPTIONS_FIX),
  ffmpegFailed(
    /^Error applying option '(\w{1,60})' to filter '(\w{1,60})': Option not found/,
    'The filter $2 has no option "$1".',
    FILTER_OPTIONS_FIX,
  ),
  ffmpegFailed(
    /^((?:width|height) not divisible by \d+(?: \(\d+x\d+\))?)/,
    'The encoder rejected the frame size: $1.',
    'Choose an even width and height. In "scale", -2 keeps the aspect ratio and rounds to an even number.',
  ),
  ffmpegFailed(
    new RegExp(`^Error setting option (\\w{1,60}) to value ${WORD}\\.$`),
    'ffmpeg rejected the value "$2" of the option "$1".',
    'Send a value that the ffmpeg manual lists for this option.',
  ),
  unreadable(
    // This rule must follow all rules about options. If none of them matches, the input file is the cause.
    new RegExp(`^(?:Error opening input: )?(?:file:)?${INPUT}: (?:${READ_ERRORS})$`),
    '$1',
  ),
  unreadable(new RegExp(`^Error opening input: (?:${READ_ERRORS})$`), '$input'),
  ...VAGUE_CAUSES,
];
