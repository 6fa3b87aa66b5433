import type { Span } from '../../../domain/plan.ts';
import { parseDuration } from '../../values/duration.ts';
import type { ArgvOption } from './argv-option.ts';
import type { ArgvInput } from './resolve-inputs.ts';

/** The part of the inputs that reaches the output, as far as `ss`, `t`, `to` and `duration` determine it. */
export function computeSpan(inputs: readonly ArgvInput[], output: readonly ArgvOption[]): Span {
  return {
    inputs: inputs.map(({ options, duration }) => ({
      ...readTrim(options),
      ...(duration === undefined ? {} : { duration: Number(duration) }),
    })),
    output: readTrim(output),
    shortest: output.some(({ key }) => key === 'shortest'),
  };
}

/** Returns the values of `ss`, `t` and `to`, in seconds. */
export function readTrim(options: readonly ArgvOption[]): Span['output'] {
  const trim: { start?: number; duration?: number; end?: number } = {};
  for (const { key, values } of options) {
    if (key !== 'ss' && key !== 't' && key !== 'to') continue;
    const seconds = parseDuration(values[0] ?? '');
    if (seconds === undefined) continue;
    if (key === 'ss') trim.start = seconds;
    else if (key === 't') trim.duration = seconds;
    else trim.end = seconds;
  }
  // With both `t` and `to`, ffmpeg uses `t`.
  if (trim.duration !== undefined) delete trim.end;
  return trim;
}
