import { readBoolean } from '../../values/boolean.ts';
import type { ArgvOption } from './resolve-options.ts';

/** What the last option of this name says, which is what counts to ffmpeg. */
export const lastValue = (key: string, options: readonly ArgvOption[]): string | undefined =>
  options.findLast((option) => option.key === key)?.values[0];

/** Whether an option that is on or off is on. */
export const isOn = (key: string, options: readonly ArgvOption[]): boolean =>
  readBoolean(lastValue(key, options) ?? '') === 1;
