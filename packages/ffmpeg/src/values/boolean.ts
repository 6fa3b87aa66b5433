import { badValue, quoted, type ValueError } from './value-error.ts';

const TRUE: ReadonlySet<string> = new Set(['true', 'y', 'yes', 'enable', 'enabled', 'on']);
const FALSE: ReadonlySet<string> = new Set(['false', 'n', 'no', 'disable', 'disabled', 'off']);

/** Reads a boolean. 1: on. 0: off. -1: "auto", which only some options accept. undefined: not a boolean. */
export function readBoolean(value: string): -1 | 0 | 1 | undefined {
  if (value === 'auto' || value === '-1') return -1;
  const word = value.toLowerCase();
  if (value === '1' || TRUE.has(word)) return 1;
  return value === '0' || FALSE.has(word) ? 0 : undefined;
}

/** @param auto True if the option also accepts "auto". */
export function checkBoolean(key: string, value: string, auto: boolean): ValueError | undefined {
  const read = readBoolean(value);
  if (read !== undefined && (auto || read >= 0)) return undefined;
  return badValue(`"${key}" must be on or off${auto ? ' or "auto"' : ''}, not ${quoted(value)}.`, value, {
    names: auto ? ['0', '1', 'true', 'false', 'auto'] : ['0', '1', 'true', 'false'],
  });
}

/** The error for a boolean in an option whose checks would accept its text. Other options reject the text, as that of a string. */
export const notBoolean = (key: string): ValueError => ({
  code: 'BAD_VALUE',
  message: `"${key}" is neither a flag nor a boolean option.`,
  allowed: ['a string', 'a number'],
});

/** The values of a flag, an option of ffmpeg that has no argument. */
export const FLAG_VALUES: readonly string[] = ['', 'true', 'false'];

/** Reads a flag. undefined: the value is not one of `FLAG_VALUES`. */
export function readFlag(value: unknown): boolean | undefined {
  if (value === '' || value === 'true') return true;
  return value === 'false' ? false : undefined;
}
