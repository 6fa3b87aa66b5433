import { type FailureRule, ffmpegFailed, inputInvalid, unsupported } from '../failure-rule.ts';
import { OTHER_CODEC, unsupportedRate } from './container-causes.ts';

const ENCODER_NOT_OPENED =
  /^(?:Error initializing output stream \d+:\d+ -- )?Error while opening encoder (?:for output stream #\d+:\d+ )?- maybe incorrect parameters such as bit_rate, rate, width or height\.?$/;

/** Matches options and expressions of a client, but no paths. */
const TEXT = String.raw`[\w .,:;%()+*<>=^|-]{0,200}`;

/** Rules for lines that say what failed, but not why. They follow all other rules. */
export const VAGUE_CAUSES: readonly FailureRule[] = [
  unsupportedRate(),
  ffmpegFailed(
    new RegExp(
      `^((?:Undefined constant or missing '\\(' in|Invalid chars|Missing '\\)'(?: or too many args)? in|Error while parsing expression) '${TEXT}'(?: at the end of expression '${TEXT}')?)$`,
    ),
    'An expression cannot be read: $1.',
    'Send a number, or a complete expression with names that the filter or option knows, such as "iw/2" or "gt(t,5)".',
  ),
  ffmpegFailed(
    /^The encoder timebase is not set\.$/,
    'The filters give the encoder nothing that it can encode: a frame rate of 0, or video instead of audio.',
    'Send a frame rate above 0, and filters that draw audio (such as showwaves) in "filter_complex".',
    ENCODER_NOT_OPENED,
  ),
  ffmpegFailed(
    /^Error initializing filter '(\w{1,60})'(?: with args '.{1,20000}')?$/,
    'The filter $1 rejected its options$filterReason.',
    'Correct the options of $1, or leave the filter out.',
  ),
  ffmpegFailed(
    /^Failed to configure (?:input|output) pad on Parsed_(\w{1,60}?)_\d+$/,
    'The filter $1 cannot use its input with these options$filterReason.',
    'Correct the options of $1 for this input, or leave the filter out.',
  ),
  ffmpegFailed(
    // Since ffmpeg 7, the log does not name the filter.
    /^(?:Error initializing filters|Error while filtering: .{1,80}|Error reinitializing filters!)$/,
    'A filter rejected its options, or cannot use its input with them$filterReason.',
    'Correct the options of the filters for this input, or leave them out one by one.',
  ),
  unsupported(
    /^Could not write header(?: for output file #\d+)? \(incorrect codec parameters \?\): [A-Z][\w ,/-]{1,80}$/,
    '$format cannot hold its streams ($codecs)$muxerReason.',
    OTHER_CODEC,
  ),
  ffmpegFailed(
    ENCODER_NOT_OPENED,
    'The encoder rejected its settings (bit rate, frame rate, size, pixel format, sample rate or channels)$encoderReason.',
    'Leave the options of the encoder out one by one, or choose another encoder.',
  ),
  // Decoders also log this line about files that play.
  inputInvalid(
    /^Header missing$/,
    'The audio of an input cannot be decoded: it is damaged, or has another codec than the decoder.',
    'Leave "c" out of the options of the input. Otherwise check that the file plays.',
  ),
];
