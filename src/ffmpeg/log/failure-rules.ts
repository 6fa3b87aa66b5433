import type { FailureCode } from '../../domain/failure.ts';

/** A line of ffmpeg's that tells why it failed. */
export interface FailureRule {
  readonly shape: RegExp;
  /** Another line must be there too. */
  readonly beside?: RegExp;
  readonly code: FailureCode;
  /**
   * `$1` is what the first group caught: a logical name or a word, never free text. `$input` is the input that
   * any line complains of, '' where none does.
   */
  readonly message: string;
  /** Whose figures are told behind the message. */
  readonly limits?: readonly ('output' | 'pixels' | 'memory' | 'processes')[];
  readonly fix?: string;
}

export const LARGE_FILE_FIX =
  'Lower the bit rate or the length of the output (an input that is looped needs "t"), or ask the operator for a higher limit.';

const WORD = String.raw`([\w.,:+-]{1,60})`;
const INPUT = String.raw`(in\/[\w./%-]{1,100})`;

/** What a demuxer says of a file that it can make nothing of. */
const UNREADABLE =
  'End of file|Input\\/output error|Invalid argument|Operation not permitted|Not yet implemented in FFmpeg, patches welcome|' +
  'Numerical result out of range|Result too large|Unknown error occurred|Error number -\\d+ occurred|Function not implemented';

/** What x264 and x265 say, past ffmpeg's log and so without a level, while ffmpeg itself names no reason. */
export const ENCODER_OUT_OF_MEMORY = /^x26[45] \[error\]: malloc of size \d+ failed$/;

const TOO_MUCH = {
  code: 'LIMIT_EXCEEDED',
  message: 'ffmpeg needed more memory or threads than a job may have.',
  limits: ['pixels', 'memory', 'processes'],
  fix: 'Use a smaller picture, fewer inputs, a faster preset or fewer threads (threads); or ask the operator for higher limits.',
} as const satisfies Omit<FailureRule, 'shape'>;

/** A line that says which input could not be opened. */
export const INPUT_COMPLAINT = new RegExp(`${INPUT}(?=: [A-Z]|\\.$)`);

/**
 * From the most telling to the least: the first rule that any line meets decides. Texts are those of ffmpeg
 * 5.1 to 9; where a release words one differently, both are here.
 */
export const FAILURE_RULES: readonly FailureRule[] = [
  {
    // At the end alone: what stands before may be a name that the client chose.
    shape: /(?:: |\()(?:No space left on device|Disk quota exceeded)\)?$/,
    code: 'NO_SPACE',
    message: 'The disk ran full while the output was written.',
    fix: 'Free space, or lower the bit rate or the length of the output.',
  },
  {
    // Not NO_SPACE, which is tried again: the next try would meet the same limit.
    shape: /: File too large$/,
    code: 'LIMIT_EXCEEDED',
    message: 'The output grew past the size that one file may have.',
    limits: ['output'],
    fix: LARGE_FILE_FIX,
  },
  {
    // As ffmpeg, libvpx and libaom, and SVT-AV1 word it.
    shape:
      /Cannot allocate memory|: Resource temporarily unavailable$|: Memory allocation error$|: insufficient resources \(0x[0-9a-f]{1,8}\)$/,
    ...TOO_MUCH,
  },
  {
    shape: ENCODER_OUT_OF_MEMORY,
    // Of ffmpeg's own, coloured: no file can word it.
    beside:
      /^(?:Error submitting video frame to the encoder$|(?:Error initializing output stream \d+:\d+ -- )?Error while opening encoder )/,
    ...TOO_MUCH,
  },
  {
    shape: /not on whitelist/,
    code: 'UNSUPPORTED',
    message: 'The input $input is of a kind that this service does not open.',
    fix: 'Send a media file; playlists, scripts and addresses inside of files are not followed.',
  },
  {
    shape: /detected only with low score of \d+, misdetection possible!$/,
    beside: INPUT_COMPLAINT,
    code: 'INPUT_INVALID',
    message: 'The input $input is no media that this service can read, whatever its name says.',
    fix: 'Check that the file plays and is complete.',
  },
  {
    shape: /moov atom not found/,
    code: 'INPUT_INVALID',
    message: 'The input $input is an MP4 or MOV file without its index (moov atom), so it is not complete.',
    fix: 'Send the whole file; one that was still being written when it was copied cannot be read.',
  },
  {
    shape: new RegExp(`${INPUT}: Invalid data found when processing input`),
    code: 'INPUT_INVALID',
    message: 'ffmpeg cannot read the input $1: it is damaged, or no media that this service accepts.',
    fix: 'Check that the file plays and is complete.',
  },
  {
    shape: /^Error opening input: Invalid data found when processing input$/,
    code: 'INPUT_INVALID',
    message: 'ffmpeg cannot read the input $input: it is damaged, or no media that this service accepts.',
    fix: 'Check that the file plays and is complete.',
  },
  {
    shape: /^Error opening input: Permission denied$/,
    code: 'INPUT_INVALID',
    message: 'The service may not read the input $input.',
    fix: 'Make the file readable for the user that the service runs as.',
  },
  {
    shape: /^Error opening input: No such file or directory$/,
    code: 'INPUT_NOT_FOUND',
    message: 'The input $input was gone when ffmpeg opened it.',
    fix: 'Leave inputs in place until the job is done.',
  },
  {
    shape: new RegExp(`${INPUT}: Permission denied`),
    code: 'INPUT_INVALID',
    message: 'The service may not read the input $1.',
    fix: 'Make the file readable for the user that the service runs as.',
  },
  {
    shape: new RegExp(`${INPUT}: No such file or directory`),
    code: 'INPUT_NOT_FOUND',
    message: 'The input $1 was gone when ffmpeg opened it.',
    fix: 'Leave inputs in place until the job is done.',
  },
  {
    shape: /^Decoder \(codec none\) not found/,
    code: 'INPUT_INVALID',
    message: 'An input holds a stream in a codec that ffmpeg does not know.',
    fix: 'Check that the file plays, or leave out streams of that kind (vn, an, sn).',
  },
  {
    shape: new RegExp(`^Decoder \\(codec ${WORD}\\) not found`),
    code: 'UNSUPPORTED',
    message: 'This ffmpeg has no decoder for $1.',
    fix: 'Leave out streams of that kind (vn, an, sn), copy them, or send another file.',
  },
  {
    // Of a decoder that never told a size, not of an option that anybody sent.
    shape: /^Error setting option video_size to value 0x0\.$/,
    code: 'INPUT_INVALID',
    message: 'An input holds no picture that can be decoded: not even a size is known.',
    fix: 'Check that the file plays and is complete, or leave its pictures out (vn).',
  },
  {
    shape: /^Cannot determine format of input (?:stream )?[\w:#.]{1,40} after EOF/,
    code: 'INPUT_INVALID',
    message: 'An input holds a stream of which nothing can be decoded.',
    fix: 'Check that the file plays and is complete, or leave out streams of that kind (vn, an, sn).',
  },
  {
    shape: new RegExp(`${INPUT}: could not find codec parameters`),
    code: 'INPUT_INVALID',
    message: 'ffmpeg cannot read the input $1: it is damaged, or no media that this service accepts.',
    fix: 'Check that the file plays and is complete.',
  },
  {
    // Since 7 the line that says so has lost the map.
    shape: /^Failed to set value '([\w:?.[\] -]{1,60})' for option 'map': Invalid argument$/,
    beside: /^Stream map '' matches no streams/,
    code: 'INPUT_INVALID',
    message: 'The inputs hold no stream that map "$1" asks for.',
    fix: 'Look at what the inputs hold, or add "?" to the map to leave out what is not there.',
  },
  {
    shape: /^Stream map '([\w:?.[\] -]{0,60})' matches no streams/,
    code: 'INPUT_INVALID',
    message: 'The inputs hold no stream that map "$1" asks for.',
    fix: 'Look at what the inputs hold, or add "?" to the map to leave out what is not there.',
  },
  {
    shape: /^Output file (?:#\d+ )?does not contain any stream/,
    code: 'INPUT_INVALID',
    message: 'The inputs hold nothing that the output could be made of.',
    fix: 'Choose a format that takes what the inputs hold (audio, video, subtitles), or leave out vn, an, sn.',
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
    message: 'The encoder $1 is experimental and is not used unless asked for.',
    fix: 'Send "strict": "experimental", or choose another encoder.',
  },
  {
    shape: new RegExp(`^Could not find tag for codec ${WORD} in stream`),
    code: 'UNSUPPORTED',
    message: 'The output format cannot hold $1.',
    fix: 'Choose another codec or another format; matroska (mkv) holds nearly everything.',
  },
  {
    shape: /^(Only [\w ,]{1,150} (?:is|are) supported for \w{1,20})\.?$/,
    code: 'UNSUPPORTED',
    message: '$1.',
    fix: 'Choose codecs that the format takes, or another format.',
  },
  {
    shape: new RegExp(`^(?:Audio|Video|Subtitle) codec '?${WORD}'? (?:is )?not compatible with `),
    code: 'UNSUPPORTED',
    message: 'The output format cannot hold $1.',
    fix: 'Choose another codec or another format; matroska (mkv) holds nearly everything.',
  },
  {
    shape: new RegExp(`^${WORD}(?: codec)? (?:is )?not supported in `),
    code: 'UNSUPPORTED',
    message: 'The output format cannot hold $1.',
    fix: 'Choose another codec or another format.',
  },
  {
    shape: /^Subtitle encoding currently only possible from text to text or bitmap to bitmap/,
    code: 'UNSUPPORTED',
    message: 'Subtitles that are pictures cannot be turned into text, nor text into pictures.',
    fix: 'Copy them ("c:s": "copy") into a format that holds them, or leave them out ("sn": "").',
  },
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
    fix: 'Send options of the filter as name=value, separated by ":"; without a name they are taken in its own order.',
  },
  {
    shape: /^Error applying option '(\w{1,60})' to filter '(\w{1,60})': Option not found/,
    code: 'FFMPEG_FAILED',
    message: 'The filter $2 has no option "$1".',
    fix: 'Send options of the filter as name=value, separated by ":"; without a name they are taken in its own order.',
  },
  {
    shape: /^((?:width|height) not divisible by \d+(?: \(\d+x\d+\))?)/,
    code: 'FFMPEG_FAILED',
    message: 'The encoder refused the size: $1.',
    fix: 'Choose an even width and height; in scale, -2 keeps the shape and rounds to even.',
  },
  {
    shape: new RegExp(`^Error setting option (\\w{1,60}) to value ${WORD}\\.$`),
    code: 'FFMPEG_FAILED',
    message: 'The option "$1" cannot be "$2".',
    fix: 'Send a value that the manual of ffmpeg names for it.',
  },
  {
    // After all that may blame an option: whatever else stops ffmpeg at opening an input is in the file.
    shape: new RegExp(`^(?:Error opening input: )?(?:file:)?${INPUT}: (?:${UNREADABLE})$`),
    code: 'INPUT_INVALID',
    message: 'ffmpeg cannot read the input $1: it is damaged, or no media that this service accepts.',
    fix: 'Check that the file plays and is complete.',
  },
  {
    shape: new RegExp(`^Error opening input: (?:${UNREADABLE})$`),
    code: 'INPUT_INVALID',
    message: 'ffmpeg cannot read the input $input: it is damaged, or no media that this service accepts.',
    fix: 'Check that the file plays and is complete.',
  },
];
