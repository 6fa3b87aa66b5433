import { parseDuration } from '@telecine/contract/domain/duration.ts';
import { badValue, quoted, type ValueError } from './value-error.ts';

const EXAMPLES = ['12.5', '00:01:30', '00:01:30.250', '1500ms'];

/** @param signed True if negative times are allowed. */
export function checkDuration(key: string, value: string, signed: boolean): ValueError | undefined {
  const seconds = parseDuration(value);
  if (seconds === undefined)
    return {
      ...badValue(`"${key}" must be a time, not ${quoted(value)}.`, value, { shapes: EXAMPLES }),
      code: 'BAD_TIME',
    };
  if (signed || seconds >= 0) return undefined;
  const fromEnd = key === 'ss' ? ' "sseof" takes a time before the end.' : '';
  return { code: 'BAD_TIME', message: `"${key}" cannot be negative.${fromEnd}` };
}
