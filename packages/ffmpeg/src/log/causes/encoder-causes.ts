import { addOption, type Edits, leaveOut, orElse, sendOption } from '@telecine/contract/domain/edit.ts';
import { type FailureRule, ffmpegFailed, inputInvalid, unsupported } from '../failure-rule.ts';

/** Matches errors that x264 and x265 print themselves, without a level. A rule for them must require a line of ffmpeg too. */
export const ENCODER_LIBRARY_LINE = /^x26[45] \[error\]: [\w .,:'()-]{1,200}$/;

/** The fix for two passes with `crf` or `qp`, which need a bit rate. */
const RATE_OF_PASSES: Edits = {
  edits: [...sendOption('b:v', '1M').edits, { do: 'remove', name: 'crf' }, { do: 'remove', name: 'qp' }],
  or: leaveOut('pass'),
};

const EVEN_SIZE =
  'In "scale", -2 keeps the aspect ratio and rounds to an even number. Otherwise end the filters with "crop=trunc(iw/2)*2:trunc(ih/2)*2", with 4 or 16 instead of 2 if the encoder asks for that.';

const PLAYABLE = sendOption('pix_fmt', 'yuv420p');

/** The exit code of ffmpeg if too many packets fail to decode (`max_error_rate`; ffmpeg.c, 5.1 to 8). */
const DECODING_FAILED = 69;

/** Failures of encoders that ffmpeg's own words do not explain. The others have those words in the message, by `VAGUE_CAUSES`. */
export const ENCODER_CAUSES: readonly FailureRule[] = [
  ffmpegFailed(
    /^([\w :]{0,60}(?:even width|[Mm]ust be even|multiples? of|divisible by)[\w .,()-]{0,60}?)\.?$/,
    'The encoder does not take the frame size: $1.',
    EVEN_SIZE,
    /^(?:Error initializing output stream \d+:\d+ -- )?Error while opening encoder /,
  ),
  ffmpegFailed(
    // The line has no level, so a tag of the media can imitate it: nothing of it gets into the message.
    /^x265 \[error\]: Picture (?:width|height) must be an integer multiple of the specified chroma subsampling$/,
    'The encoder libx265 needs an even width and height.',
    EVEN_SIZE,
    /^Cannot open libx265 encoder\.$/,
  ),
  ffmpegFailed(
    /^(?:Error setting profile \w+\.|Invalid or incompatible profile set: \w+\.)$/,
    'The profile of the encoder does not allow the pixel format, the bit depth or the lossless mode of the video.',
    orElse(PLAYABLE, 'leave the profile out'),
  ),
  ffmpegFailed(
    /^(?:x265 \[error\]: Constant rate-factor is incompatible with 2pass[\w -]{0,80}|CRF\/CQP is incompatible with 2pass\.)$/,
    'Two passes need a bit rate, and "crf" or "qp" sets a quality instead.',
    RATE_OF_PASSES,
    /^(?:Cannot open libx265 encoder\.$|(?:Error initializing output stream \d+:\d+ -- )?Error while opening encoder )/,
  ),
  ffmpegFailed(
    /^too many channels: got (\d+), need (\d+) or fewer$/,
    'The encoder supports $2 channels, and the audio has $1.',
    sendOption('ac', '$2'),
  ),
  ffmpegFailed(
    /^(?:Invalid|Unsupported) channel layout ([\w.()+" :,-]{1,200}?)\.?$/,
    'The encoder does not take the channels of the audio: $1.',
    orElse(sendOption('ac', '2'), 'another number of channels that is usual'),
  ),
  unsupported(
    /^Automatic encoder selection failed(?: for output stream #\d+:\d+\.)? Default encoder for format (mp4|mov|ipod) \(codec none\) is probably disabled\. Please choose an encoder manually\.$/,
    'The format $1 gets no codec for subtitles by default.',
    addOption('c:s', 'mov_text'),
  ),
  unsupported(
    /^Automatic encoder selection failed(?: for output stream #\d+:\d+\.)? Default encoder for format (\w+) \(codec (\w+)\) is probably disabled\. Please choose an encoder manually\.$/,
    'The format $1 has no encoder by default for a stream that "map" selects (codec $2).',
    'Select by kind, such as "map": "0:a" for audio or "0:v" for video, name an encoder whose codec the format holds, or send another format.',
  ),
  inputInvalid(
    /^Error while opening decoder(?: for input stream #\d+:\d+ )?: Invalid data found when processing input$/,
    'A decoder cannot read a stream of the input: the stream is damaged, or has another codec than the decoder.',
    'Leave "c" out of the options of the input. Otherwise check that the file plays.',
  ),
  inputInvalid(
    /^(?:Value inf for parameter 'time_base' out of range \[[\d.e+ -]{1,40}\]|Neither number of channels nor channel layout specified|Sample rate (?:0 invalid|not set))$/,
    'The audio of an input has no sample rate or no channels: it is damaged, or read in a wrong format.',
    'Leave "f" out of the options of the input. Raw audio needs "ar" and "ac" there.',
  ),
  {
    ...inputInvalid(
      /^(?:Error while decoding stream #\d+:\d+: |Error submitting (?:a )?packet to (?:the )?decoder|Decoding error|Decode error rate)/,
      'Most of a stream of the inputs cannot be decoded: it is damaged, or in a form that this ffmpeg cannot decode.',
      'Send the file again, complete and undamaged, or leave the stream out: "an": "" for audio, "vn": "" for video.',
    ),
    exitCode: DECODING_FAILED,
  },
  inputInvalid(
    /^Picture size 0x0 is invalid$/,
    'The frame size of an input is unknown: raw video needs it as an option; any other file is damaged.',
    'For raw video, send "video_size": "640x480" and "pixel_format": "yuv420p" with the input.',
  ),
];
