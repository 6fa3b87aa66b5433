import { sendOption } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';

/** People send longer times for one key frame, such as the start of a chapter. */
const MAX_INTERVAL = 15;

/** Warns about `force_key_frames` with one small number: that is one time, not an interval. */
export const singleKeyFrame = (options: readonly ArgvOption[]): readonly Warning[] =>
  options.flatMap((option) => {
    const [value = ''] = option.values;
    const seconds = /^\d{1,2}(?:\.\d+)?$/.test(value) ? Number(value) : 0;
    if (option.name.name !== 'force_key_frames' || seconds <= 0 || seconds > MAX_INTERVAL) return [];
    // The first segment ends at this key frame.
    if (options.some(({ key, values }) => key === 'segment_times' && values[0] === value)) return [];
    return [
      {
        field: option.field,
        code: 'UNUSUAL_VALUE',
        message: `"${sentName(option)}" is a list of times: ${value} forces one key frame, at ${value} s.`,
        fix: sendOption(sentName(option), `expr:gte(t,n_forced*${value})`),
      },
    ];
  });
