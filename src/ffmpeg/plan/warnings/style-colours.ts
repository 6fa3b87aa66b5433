import { sendOption } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import { printGraph } from '../../filtergraph/graph.ts';
import { quoted } from '../../values/value-error.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';
import { withFilters, writtenGraphs } from './written-graphs.ts';

/** The colours of a style of ASS. libass compares names without case, and does not know the spelling `Color`. */
const STYLE_COLOUR = /^(\s*)((?:Primary|Secondary|Outline|Back|Tertiary)Colou?r)(\s*=\s*)(\S.*)?$/i;

/** The colours of HTML 4 and some more, as ffmpeg names them. libass reads a name as 0, black. */
const NAMED: Readonly<Record<string, string>> = {
  black: '000000',
  white: 'ffffff',
  red: 'ff0000',
  lime: '00ff00',
  green: '008000',
  blue: '0000ff',
  yellow: 'ffff00',
  cyan: '00ffff',
  aqua: '00ffff',
  magenta: 'ff00ff',
  fuchsia: 'ff00ff',
  gray: '808080',
  silver: 'c0c0c0',
  maroon: '800000',
  olive: '808000',
  teal: '008080',
  navy: '000080',
  purple: '800080',
  orange: 'ffa500',
  pink: 'ffc0cb',
  brown: 'a52a2a',
  gold: 'ffd700',
};

/**
 * The digits RRGGBB or RRGGBBAA of a colour that is not written as ASS writes it. undefined if libass reads the colour as it
 * is meant, or if that is not certain: it reads `0xRRGGBB` too, but as BBGGRR, and numbers without a prefix as decimal.
 */
function meantDigits(value: string): string | undefined {
  const short = /^#([\da-f])([\da-f])([\da-f])$/i.exec(value);
  if (short !== null)
    return short
      .slice(1)
      .map((digit) => digit.repeat(2))
      .join('');
  const [, prefixed, alpha = ''] = /^#([\da-f]{6})([\da-f]{2})?$/i.exec(value) ?? [];
  const bare = /^(?:0x)?(?=.*[\da-f])([\da-f]{6})$/i.exec(value)?.[1];
  const isDecimal = /^\d+$/.test(value);
  const digits = prefixed ?? (isDecimal ? undefined : bare) ?? NAMED[value.toLowerCase()];
  if (digits === undefined) return undefined;
  // The same backwards.
  const isSymmetric = /^0x/i.test(value) && digits.slice(0, 2).toLowerCase() === digits.slice(4).toLowerCase();
  return isSymmetric ? undefined : `${digits}${alpha}`;
}

/** A colour as ASS writes it: `&HAABBGGRR`, where the alpha 00 is opaque. */
function assColour(digits: string): string {
  const [red, green, blue] = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4, 6)];
  const opacity = digits.length > 6 ? Number.parseInt(digits.slice(6), 16) : 255;
  const alpha = (255 - opacity).toString(16).padStart(2, '0');
  return `&H${alpha}${blue}${green}${red}`.toUpperCase();
}

/** A style with its colours as ASS writes them, and the first colour that was changed. */
function correctedStyle(style: string): { readonly style: string; readonly wrong: string | undefined } {
  let wrong: string | undefined;
  const parts = style.split(',').map((part) => {
    const [, before = '', name = '', equals = '=', text = ''] = STYLE_COLOUR.exec(part) ?? [];
    const value = text.trimEnd();
    const after = text.slice(value.length);
    const digits = meantDigits(value);
    const known = name.replace(/color$/i, 'Colour');
    if (name === '' || (digits === undefined && known === name)) return part;
    wrong ??= part.trim();
    return `${before}${known}${equals}${digits === undefined ? value : assColour(digits)}${after}`;
  });
  return { style: parts.join(','), wrong };
}

/**
 * Warns about colours in `force_style` that are not written as ASS writes them: libass reads `#FFFF00` and `yellow` as black,
 * `0xFF0000` as blue, and ignores `PrimaryColor`.
 */
export const styleColours = (options: readonly ArgvOption[]): readonly Warning[] =>
  writtenGraphs(options).flatMap((graph) => {
    const wrong: string[] = [];
    const meant = withFilters(graph, (filter, named) => {
      if (filter.name !== 'subtitles' || named.options.length !== filter.options.length) return filter;
      const corrected = filter.options.map((one, at) => {
        if (named.options[at]?.key !== 'force_style') return one;
        const style = correctedStyle(one.value);
        if (style.wrong === undefined) return one;
        wrong.push(style.wrong);
        return { ...one, value: style.style };
      });
      return { ...filter, options: corrected };
    });
    const [first] = wrong;
    if (first === undefined) return [];
    return [
      {
        field: graph.option.field,
        code: 'UNUSUAL_VALUE',
        message: `"force_style" does not read ${quoted(first)} as it is meant: its colours are PrimaryColour=&HAABBGGRR, with blue first.`,
        fix: sendOption(sentName(graph.option), printGraph(meant)),
      },
    ];
  });
