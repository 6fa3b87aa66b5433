import { AV_TYPES, type AvConstant, type AvOption, type AvType } from './component.ts';

/** One letter each: encoding, decoding, filtering, video, audio, subtitles, export, read-only, bsf, run time, deprecated. */
const FLAGS = '([E.][D.][F.][V.][A.][S.][X.][R.][B.][T.][P.]?)';

/** Matches ` -crf <float> E..V....... help (from -1 to FLT_MAX) (default -1)`. A list has `[<int> ]`. Options of filters have no dash. */
const OPTION = new RegExp(`^ {2}[ -](\\S+)\\s+(\\[?)<(\\w+)>\\s*\\]?\\s*${FLAGS}(?: (.*))?$`);

/** Matches `     none            0            E..V.......`. A long name shifts the columns; a few names contain spaces. */
const CONSTANT = new RegExp(`^ {5}(\\S.*?)\\s+(?:(-?\\d+)\\s+)?${FLAGS}(?: (.*))?$`);

/**
 * Parses the options in lines of ffmpeg's help. The constants of an option follow on the lines below it. Other lines are ignored.
 *
 * @param flags Reads only options and constants with one of these flags, such as `E`. Default: all.
 */
export function parseOptions(lines: Iterable<string>, flags?: string): AvOption[] {
  const isWanted = (own = ''): boolean => flags === undefined || [...flags].some((flag) => own.includes(flag));
  const options: AvOption[] = [];
  let constants: AvConstant[] = [];
  for (const line of lines) {
    const option = OPTION.exec(line);
    if (option !== null) {
      constants = [];
      if (isWanted(option[4])) options.push(optionOf(option, constants));
      continue;
    }
    const [, name, value, own, help] = CONSTANT.exec(line) ?? [];
    if (name !== undefined && isWanted(own))
      constants.push({ name, ...(value === undefined ? {} : { value: Number(value) }), help: help ?? '' });
  }
  return options;
}

function optionOf([, name = '', list, type = '', flags = '', text = '']: RegExpExecArray, constants: AvConstant[]) {
  const [e, d, , v, a, s, , r, , , p] = flags;
  return {
    name,
    type: typeOf(type),
    list: list === '[',
    encoding: e === 'E',
    decoding: d === 'D',
    media: `${v}${a}${s}`.replaceAll('.', ''),
    deprecated: p === 'P',
    readOnly: r === 'R',
    ...tailOf(text),
    constants,
  } satisfies AvOption;
}

const typeOf = (name: string): AvType =>
  name === 'unsigned' ? 'uint' : (AV_TYPES.find((type) => type === name) ?? 'string');

/** Splits the range and the default off the end of a help text. */
function tailOf(text: string): Pick<AvOption, 'help' | 'min' | 'max' | 'fallback'> {
  const [whole, fallback] = / ?\(default (?:"(.*)"|(.*?))\)$/.exec(text)?.filter((part) => part !== undefined) ?? [];
  const head = whole === undefined ? text : text.slice(0, -whole.length);
  const range = / ?\(from (\S+) to (\S+)\)$/.exec(head);
  const min = range === null ? undefined : boundOf(range[1] ?? '', -1);
  const max = range === null ? undefined : boundOf(range[2] ?? '', 1);
  return {
    help: (range === null ? head : head.slice(0, -range[0].length)).trim(),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(fallback !== undefined && { fallback }),
  };
}

const FLOAT_MAX = 3.4028234663852886e38;
const FLOAT_MIN = 1.1754943508222875e-38;
const DOUBLE_MIN = 2.2250738585072014e-308;

const NAMED: Readonly<Record<string, number>> = {
  INT_MAX: 2147483647,
  INT_MIN: -2147483648,
  UINT32_MAX: 4294967295,
  I64_MAX: 2 ** 63,
  I64_MIN: -(2 ** 63),
  FLT_MAX: FLOAT_MAX,
  '-FLT_MAX': -FLOAT_MAX,
  FLT_MIN: FLOAT_MIN,
  '-FLT_MIN': -FLOAT_MIN,
  DBL_MAX: Number.MAX_VALUE,
  '-DBL_MAX': -Number.MAX_VALUE,
  DBL_MIN: DOUBLE_MIN,
  '-DBL_MIN': -DOUBLE_MIN,
};

/** Parses a bound of a range. If it is rounded, moves it outwards by the rounding error. undefined: infinite, or not a number. */
function boundOf(text: string, outward: 1 | -1): number | undefined {
  const named = NAMED[text];
  if (named !== undefined) return named;
  const value = Number(text);
  if (!Number.isFinite(value)) return undefined;
  const [, mantissa = '', exponent] = /^-?([\d.]+)(?:e([+-]\d+))?$/.exec(text) ?? [];
  const digits = mantissa.replace('.', '').replace(/^0+/, '').length;
  if (digits < 6 || (exponent === undefined && !mantissa.includes('.'))) return value;
  const decimals = mantissa.split('.')[1]?.length ?? 0;
  return value + outward * 0.5 * 10 ** (Number(exponent ?? 0) - decimals);
}
