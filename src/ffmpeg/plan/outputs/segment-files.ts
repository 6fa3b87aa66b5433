import { posix } from 'node:path';
import { sendValue } from '../../../domain/edit.ts';
import type { MediaPath } from '../../../domain/media-path.ts';
import { readNumber } from '../../values/number.ts';
import { quoted } from '../../values/value-error.ts';
import { lastValue } from '../request/argv-option.ts';
import { meantCounter } from '../request/counter-placeholders.ts';
import { filesOfOption, type OutputFilePattern, type OutputNaming } from './name-clashes.ts';
import { containsCounter, numberCounter, parseNamePattern } from './name-pattern.ts';
import { datePattern } from './strftime-names.ts';

/** Matches the counters that `av_get_frame_filename` expands. `%%` is a percent sign. */
const COUNTERS = /%(?:%|(\d*)d)/g;

/**
 * Returns the files of the muxer `segment`: the segments and their list.
 *
 * @param path The path of the output, which a fix repeats with a counter.
 */
export function segmentFiles(naming: OutputNaming, path: MediaPath): readonly OutputFilePattern[] {
  const { name, options, dated, errors } = naming;
  const start = readNumber(lastValue('segment_start_number', options) ?? '') ?? 0;
  const pattern = dated
    ? datePattern(name)
    : parseNamePattern(name, COUNTERS, ([, width]) => (width === undefined ? '%' : numberCounter(width, start)));
  const counters = pattern.filter((part) => typeof part !== 'string').length;
  const ending = posix.extname(name);
  const stem = name.slice(0, name.length - ending.length).replaceAll(/_?%\d*d/g, '');
  if (!containsCounter(pattern) || (counters > 1 && !dated))
    errors.push({
      field: '/output',
      code: 'NEEDS_COUNTER',
      message:
        counters === 0
          ? `${quoted(name)} has no counter, so each segment would overwrite the one before.`
          : `${quoted(name)} has ${counters} counters; ffmpeg expands only one.`,
      allowed: ['a name with one counter, such as %03d'],
      fix: sendValue(
        `${path.slice(0, path.length - name.length)}${(counters === 0 ? meantCounter(name)?.meant : undefined) ?? `${stem === '' ? 'part' : stem}_%03d${ending}`}`,
      ),
    });
  return [
    { what: 'the segments', name, pattern },
    ...filesOfOption(naming, 'segment_list', 'the list', { example: `${stem || 'segments'}_list.csv` }),
  ];
}
