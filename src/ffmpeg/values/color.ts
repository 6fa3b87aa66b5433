import { readPlainNumber } from './number.ts';
import { badValue, quoted, type ValueError } from './value-error.ts';

const HEX = /^(?:#|0x)?(?:[\da-f]{6}|[\da-f]{8})$/i;
const ALPHA_HEX = /^0x[\da-f]{1,2}$/i;

/**
 * Whether a value is a colour: `red`, `#RRGGBB[AA]`, `0xRRGGBB[AA]` or `random`, optionally with an opacity: `red@0.5`.
 */
function isColor(value: string, colors: ReadonlySet<string>): boolean {
  const at = value.indexOf('@');
  const name = at < 0 ? value : value.slice(0, at);
  if (at >= 0 && !isAlpha(value.slice(at + 1))) return false;
  const lower = name.toLowerCase();
  return (
    (HEX.test(name) && !name.startsWith('0X')) ||
    lower === 'random' ||
    lower === 'bikeshed' ||
    inLowerCase(colors).has(lower)
  );
}

const lowered = new WeakMap<ReadonlySet<string>, ReadonlySet<string>>();

/** The names in lower case, cached per set. ffmpeg prints `AliceBlue` and accepts any case. */
function inLowerCase(colors: ReadonlySet<string>): ReadonlySet<string> {
  const before = lowered.get(colors);
  if (before !== undefined) return before;
  const lower = new Set([...colors].map((name) => name.toLowerCase()));
  lowered.set(colors, lower);
  return lower;
}

function isAlpha(text: string): boolean {
  if (ALPHA_HEX.test(text)) return true;
  const alpha = /^[\d.]+$/.test(text) ? readPlainNumber(text) : undefined;
  return alpha !== undefined && alpha >= 0 && alpha <= 1;
}

/** `black@50%` means `black@0.5`. */
const withFraction = (value: string): string =>
  value.replace(/@(\d{1,3}(?:\.\d+)?)%$/, (_all, percent: string) => `@${Number(percent) / 100}`);

/** `#f00` means `#ff0000`. */
const withSixDigits = (value: string): string =>
  withFraction(value).replace(/^#([\da-f])([\da-f])([\da-f])(?=@|$)/i, '#$1$1$2$2$3$3');

export function checkColor(key: string, value: string, colors: ReadonlySet<string>): ValueError | undefined {
  if (isColor(value, colors)) return undefined;
  return badValue(`"${key}" must be a colour, not ${quoted(value)}.`, value, {
    shapes: ['#RRGGBB', '#RRGGBBAA', 'NAME@0.5', 'random'],
    names: colors,
    fix: [withFraction, withSixDigits]
      .map((meant) => meant(value))
      .find((one) => one !== value && isColor(one, colors)),
  });
}
