import { posix } from 'node:path';
import { readNumber } from '../../values/number.ts';
import { lastValue } from '../request/last-value.ts';
import { numberCounter, parseNamePattern } from './name-pattern.ts';
import { filesOfOption, type OutputFiles, type OutputNaming } from './output-file-set.ts';
import { datePattern } from './strftime-names.ts';

/** As `av_get_frame_filename` has them: `%%` is a per cent sign. */
const COUNTERS = /%(?:%|(\d*)d)/g;

/** The segments of the muxer `segment`, and their list. */
export function segmentFiles(naming: OutputNaming): readonly OutputFiles[] {
  const { name, options, dated, errors } = naming;
  const from = readNumber(lastValue('segment_start_number', options) ?? '') ?? 0;
  const pattern = dated
    ? datePattern(name)
    : parseNamePattern(name, COUNTERS, ([, width]) => (width === undefined ? '%' : numberCounter(width, from)));
  const counters = pattern.filter((part) => typeof part !== 'string').length;
  const ending = posix.extname(name);
  const stem = name.slice(0, name.length - ending.length).replaceAll(/_?%\d*d/g, '');
  if (counters === 0 || (counters > 1 && !dated))
    errors.push({
      field: '/output',
      code: 'NEEDS_COUNTER',
      message:
        counters === 0
          ? `There are many segments, and "${name.slice(0, 64)}" is one name: each would be written over the one before.`
          : `"${name.slice(0, 64)}" has ${counters} counters, and ffmpeg fills in one.`,
      allowed: ['a name with one counter, such as %03d'],
      fix: `Send "${stem}_%03d${ending}".`,
    });
  return [
    { what: 'the segments', name, pattern },
    ...filesOfOption(naming, 'segment_list', 'the list', { example: `${stem || 'segments'}_list.csv` }),
  ];
}
