import { type FailureRule, ffmpegFailed, unsupported, WORD } from '../failure-rule.ts';

const FILTER_OPTIONS_FIX =
  'Send filter options as name=value, separated by ":". Values without a name are assigned in the order of the filter.';

/** Filters and options that ffmpeg rejects without saying more. */
export const OPTION_CAUSES: readonly FailureRule[] = [
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
