import type { Span } from '../../domain/plan.ts';
import { parseDuration } from '../values/duration.ts';
import type { ReadInput } from './request/parse-inputs.ts';
import type { ReadOption } from './request/parse-options.ts';

/** What part of the inputs reaches the output, as far as `ss`, `t`, `to` and `duration` tell. */
export function spanOf(inputs: readonly ReadInput[], output: readonly ReadOption[]): Span {
  return {
    inputs: inputs.map(({ options, duration }) => ({
      ...trimOf(options),
      ...(duration === undefined ? {} : { duration: Number(duration) }),
    })),
    output: trimOf(output),
    shortest: output.some(({ key }) => key === 'shortest'),
  };
}

/** What `ss`, `t` and `to` among some options leave, in seconds. */
export function trimOf(options: readonly ReadOption[]): Span['output'] {
  const trim: { start?: number; duration?: number; end?: number } = {};
  for (const { key, values } of options) {
    if (key !== 'ss' && key !== 't' && key !== 'to') continue;
    const seconds = parseDuration(values[0] ?? '');
    if (seconds === undefined) continue;
    if (key === 'ss') trim.start = seconds;
    else if (key === 't') trim.duration = seconds;
    else trim.end = seconds;
  }
  // ffmpeg goes by `t` where both are said.
  if (trim.duration !== undefined) delete trim.end;
  return trim;
}
