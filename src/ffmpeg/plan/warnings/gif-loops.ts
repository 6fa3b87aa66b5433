import type { Warning } from '../../../domain/plan.ts';
import { sendOption } from '../../values/value-error.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';

/** Warns about `loop` of -1 for a GIF, which plays once: 0 is for ever. As `stream_loop`, and for other programs, -1 is for ever. */
export const gifLoops = (options: readonly ArgvOption[], muxer: string): readonly Warning[] =>
  options.flatMap((option) =>
    muxer === 'gif' && option.name.name === 'loop' && option.values.at(-1) === '-1'
      ? [
          {
            field: option.field,
            code: 'UNUSUAL_VALUE',
            message: `"${sentName(option)}": "-1" plays the GIF only once. 0 repeats it for ever.`,
            fix: sendOption(sentName(option), '0'),
          },
        ]
      : [],
  );
