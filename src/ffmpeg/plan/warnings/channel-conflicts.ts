import { leaveOut, orElse } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import { channelsOf } from '../../values/media-formats.ts';
import { readPlainNumber } from '../../values/number.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';

/** Warns about a number of channels beside a layout that has another: ffmpeg uses the layout. */
export function channelConflicts(options: readonly ArgvOption[]): readonly Warning[] {
  const layouts = options.filter(({ name }) => name.name === 'ch_layout');
  return options.flatMap((count) => {
    const layout = layouts.find(({ name }) => name.specifier === count.name.specifier);
    if (count.name.name !== 'ac' || layout === undefined) return [];
    const [sent = '', named = ''] = [count.values.at(-1), layout.values.at(-1)];
    const [channels, own] = [readPlainNumber(sent), channelsOf(named)];
    if (channels === undefined || channels === 0 || own === undefined || channels === own) return [];
    return [
      {
        field: count.field,
        code: 'NO_EFFECT',
        message: `"${sentName(count)}": "${sent}" has no effect: ffmpeg uses "${sentName(layout)}": "${named}", which has ${own} ${own === 1 ? 'channel' : 'channels'}.`,
        fix: orElse(leaveOut(), leaveOut(sentName(layout), `the sound then has ${sent} channels`)),
      },
    ];
  });
}
