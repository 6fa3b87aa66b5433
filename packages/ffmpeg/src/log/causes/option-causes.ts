import { type FailureRule, ffmpegFailed, unsupported, WORD } from '../failure-rule.ts';

const FILTER_OPTIONS_FIX =
  'Send filter options as name=value, separated by ":". Values without a name are assigned in the order of the filter.';

/** Whole lines in which ffmpeg itself says what is wrong with a value of the request, without any text of the media. */
const SAID: readonly string[] = [
  String.raw`Codec '\w+' \(\d+\) is not supported by the bitstream filter '\w+'\. Supported codecs are: \w+ \(\d+\)(?: \w+ \(\d+\)){0,20}`,
  String.raw`Unable to map stream at [avs]:\d+`,
  String.raw`Selected stream "\d+" not found`,
  String.raw`Tag \w{4} incompatible with output codec id '\d+' \(\w{4}\)`,
  String.raw`Stream specifier [\w:#]{1,40} does not match {1,2}any streams`,
  String.raw`mapchan: stream #\d+\.\d+ is not an audio stream`,
  String.raw`Invalid (?:chapter|program) index \d+ (?:in metadata specifier|while processing metadata maps)`,
  String.raw`Value -?[\d.e+]{1,20} for parameter '\w{1,60}' out of range \[[\d.e+ -]{1,60}\]`,
  String.raw`Unable to open iconv context with input character encoding "[\w .:+-]{1,60}"`,
  String.raw`Could not create a libass track when reading file '(?:file:)?in\/[\w./%-]{1,100}'`,
  String.raw`Invalid aspect ratio: [\d:.]{1,20}`,
  '-to value smaller than -ss; aborting',
];

/** Filters and options that ffmpeg rejects without saying more. */
export const OPTION_CAUSES: readonly FailureRule[] = [
  ffmpegFailed(
    new RegExp(`^(${SAID.join('|')})[.! ]?$`),
    'ffmpeg rejected a value of the request: $1.',
    'Correct this value in the request, or leave out the option that has it.',
  ),
  unsupported(new RegExp(`^No such filter: '${WORD}'`), 'This ffmpeg has no filter $1.', 'Choose another filter.'),
  ffmpegFailed(/^Option '(\w{1,60})' not found$/, 'A filter has no option "$1".', FILTER_OPTIONS_FIX),
  ffmpegFailed(
    /^Error applying option '(\w{1,60})' to filter '(\w{1,60})': Option not found/,
    'The filter $2 has no option "$1".',
    FILTER_OPTIONS_FIX,
  ),
  ffmpegFailed(
    new RegExp(`^Error setting option (\\w{1,60}) to value ${WORD}\\.$`),
    'ffmpeg rejected the value "$2" of the option "$1".',
    'Send a value that the ffmpeg manual lists for this option.',
  ),
];
