import { sendOption } from '../../../domain/edit.ts';
import type { FailureRule } from '../failure-rule.ts';
import { rule } from '../failure-rule.ts';
import { OTHER_CODEC } from './container-causes.ts';

const ENCODER_NOT_OPENED =
  /^(?:Error initializing output stream \d+:\d+ -- )?Error while opening encoder (?:for output stream #\d+:\d+ )?- maybe incorrect parameters such as bit_rate, rate, width or height\.?$/;

/** Matches options and expressions of the client, but no path. */
const TEXT = String.raw`[\w .,:;%()+*<>=^|-]{0,200}`;

/** Used if no other rule names the cause: these lines name only what failed. */
export const VAGUE_CAUSES: readonly FailureRule[] = [
  rule(
    /^(\w{1,20}) does not support (?:that )?sample rate(?: \d+)?, choose from \(([\d, ]{1,60})\)\.?$/i,
    'UNSUPPORTED',
    'The format $1 supports only these sample rates: $2.',
    sendOption('ar', '44100'),
  ),
  rule(
    /^Undefined constant or missing '\(' in ''$/,
    'FFMPEG_FAILED',
    'An expression is incomplete: a number or a name is missing.',
    'Complete the expression, such as "iw/2", or send a plain number.',
  ),
  rule(
    new RegExp(`^Undefined constant or missing '\\(' in '(${TEXT})'$`),
    'FFMPEG_FAILED',
    'An expression has a name that ffmpeg does not know here: "$1".',
    'Send a number, or names that the filter or option knows, such as "iw", "ih" or "t".',
  ),
  rule(
    new RegExp(`^Invalid chars '(${TEXT})' at the end of expression '(${TEXT})'$`),
    'FFMPEG_FAILED',
    'The expression "$2" ends with "$1", which ffmpeg does not understand.',
    'Leave "$1" out of it.',
  ),
  rule(
    new RegExp(`^Missing '\\)'(?: or too many args)? in '(${TEXT})'$`),
    'FFMPEG_FAILED',
    'A bracket is missing in an expression, or a function has too many arguments: "$1".',
    'Close each bracket.',
  ),
  rule(
    /^Bitrate (\d+) is extremely low, maybe you mean \d+k$/,
    'FFMPEG_FAILED',
    'The bit rate is $1 bits per second, which is far too low.',
    'Send the bit rate with a unit: "b:a": "128k", "b:v": "1M".',
    ENCODER_NOT_OPENED,
  ),
  rule(
    /^The encoder timebase is not set\.$/,
    'FFMPEG_FAILED',
    'The filters give the encoder nothing that it can encode: a frame rate of 0, or pictures in place of sound.',
    'Send a frame rate above 0, and filters that draw sound (such as showwaves) in "filter_complex".',
    ENCODER_NOT_OPENED,
  ),
  rule(
    /^Header missing$/,
    'INPUT_INVALID',
    'The sound of an input cannot be decoded: it is damaged, or another codec than the decoder.',
    'Leave "c" out of the options of the input. Otherwise check that the file plays.',
  ),
  rule(
    new RegExp(`^Error while parsing expression '(${TEXT})'$`),
    'FFMPEG_FAILED',
    'The expression "$1" is incomplete, or a function in it has too few arguments.',
    'Complete it: "select=gt(scene\\,0.4)".',
  ),
  rule(
    /^Error initializing filter '(\w{1,60})'(?: with args '.{1,20000}')?$/,
    'FFMPEG_FAILED',
    'The filter $1 rejected its options$reason.',
    'Correct the options of $1, or leave the filter out.',
  ),
  rule(
    // Since ffmpeg 7, no line names the filter.
    /^Error initializing filters$/,
    'FFMPEG_FAILED',
    'A filter rejected its options$reason.',
    'Correct the options of the filter, or leave it out.',
  ),
  rule(
    /^Failed to configure (?:input|output) pad on Parsed_(\w{1,60}?)_\d+$/,
    'FFMPEG_FAILED',
    'The filter $1 cannot use its input with these options$reason.',
    'Correct the options of $1 for this input, or leave the filter out.',
  ),
  rule(
    /^Could not write header(?: for output file #\d+)? \(incorrect codec parameters \?\): [A-Z][\w ,/-]{1,80}$/,
    'FFMPEG_FAILED',
    '$format rejected its streams: $codecs.',
    OTHER_CODEC,
  ),
  rule(
    ENCODER_NOT_OPENED,
    'FFMPEG_FAILED',
    'The encoder rejected its settings: the bit rate, frame rate, size, pixel format, sample rate or channels$reason.',
    'Leave the options of the encoder out one by one, or choose another encoder.',
  ),
];
