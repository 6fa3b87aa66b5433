import { OTHER_FORMATS } from '../../allowlist/input-formats.ts';
import { type FailureRule, inputInvalid, unsupported, WORD } from '../failure-rule.ts';

const INPUT = String.raw`(?<input>in\/[\w./%-]{1,100})`;

/** Matches a line about an input that ffmpeg could not open. */
export const INPUT_COMPLAINT = new RegExp(`${INPUT}(?=: [A-Z]|\\.$)`);

const unreadable = (shape: RegExp): FailureRule =>
  inputInvalid(
    shape,
    'ffmpeg cannot read the input $input: it is damaged or not a supported media file.',
    'Check that the file plays and is complete.',
  );

/** An input whose demuxer no input may use. `demuxers`: separated by commas. Default: any. */
const notAllowed = (message: string, fix: string, demuxers?: string): FailureRule => ({
  shape: /^Format (?:\S+ )?not on whitelist/,
  ...(demuxers !== undefined && { component: new RegExp(`^(?:${demuxers.replaceAll(',', '|')})$`) }),
  ...{ code: 'UNSUPPORTED', message, fix },
  isNotOpened: true,
});

/** What demuxers log for a file that they cannot read. */
const READ_ERRORS =
  'End of file|Input\\/output error|Invalid argument|Operation not permitted|Not yet implemented in FFmpeg, patches welcome|' +
  'Numerical result out of range|Result too large|Unknown error occurred|Error number -\\d+ occurred|Function not implemented';

/** Inputs that are damaged, incomplete, missing or of a format that is not read, as a demuxer or decoder explains it in the log. */
export const INPUT_CAUSES: readonly FailureRule[] = [
  notAllowed(
    'The input $input is a list or a drawing ($component) that names other files. Files and URLs inside a file are not followed.',
    'Send the media file itself.',
    OTHER_FORMATS.playlist,
  ),
  notAllowed(
    'The input $input is a script or a program ($component), which the service does not run.',
    'Send the audio or video that it makes.',
    OTHER_FORMATS.script,
  ),
  notAllowed(
    'The input $input is not a media file that this service can read: ffmpeg takes it for "$component", which it takes many files for.',
    'Check that the file plays and is complete.',
    OTHER_FORMATS.unclear,
  ),
  notAllowed(
    'The input $input has the format "$component", which is not supported.',
    'Send it in another format.',
    '(?!in#).*',
  ),
  // ffmpeg 9 does not say which format it is.
  notAllowed('The format of the input $input is not supported.', 'Send it in another format.'),
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
  unreadable(new RegExp(`(?:^Error opening input|${INPUT}): Invalid data found when processing input`)),
  inputInvalid(
    new RegExp(`(?:^Error opening input|${INPUT}): Permission denied`),
    'The service has no permission to read the input $input.',
    'Make the file readable for the user that runs the service.',
  ),
  {
    shape: new RegExp(`(?:^Error opening input|${INPUT}): No such file or directory`),
    code: 'INPUT_NOT_FOUND',
    message: 'The input $input was removed before ffmpeg opened it.',
    fix: 'Keep the inputs in place until the job has finished.',
  },
  inputInvalid(
    /^Decoder \(codec none\) not found/,
    '$anInput contains a stream with a codec that ffmpeg does not know.',
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
    '$anInput contains no decodable video: even its size is unknown.',
    'Check that the file plays and is complete, or drop its video (vn).',
  ),
  unsupported(
    /^skipping unsupported chunk: ANI[MF]$/,
    '$anInput is an animated WebP, which this ffmpeg cannot read.',
    'Send the animation as a GIF, an APNG or a video.',
    /^image data not found$/,
  ),
  inputInvalid(
    /^Cannot determine format of input (?:stream )?[\w:#.]{1,40} after EOF/,
    '$anInput contains a stream that cannot be decoded.',
    'Check that the file plays: it may be damaged or encrypted. If the options of the input set "c", leave it out. Streams of that type can be dropped (vn, an, sn).',
  ),
  inputInvalid(
    // ffmpeg takes a file without a header for a raw image because of its extension. `explainInput` adds what the file contains.
    /^Could not find codec parameters for stream \d+ \(Video: rawvideo, none\)/,
    '$anInput has no header that tells its format.',
    'Send its format with it.',
  ),
  unreadable(new RegExp(`${INPUT}: could not find codec parameters`)),
];

/** Inputs that ffmpeg could not open, by lines that the value of an option may cause too: these follow all rules about options. */
export const UNOPENED_INPUT_CAUSES: readonly FailureRule[] = [
  unreadable(new RegExp(`^(?:Error opening input: |(?=(?:file:)?in\\/))(?:(?:file:)?${INPUT}: )?(?:${READ_ERRORS})$`)),
];
