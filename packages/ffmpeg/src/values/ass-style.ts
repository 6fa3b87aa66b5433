/** Matches `PrimaryColour=red` in `force_style` of the filter `subtitles`. libass ignores the case of names, and does not know the spelling `Color`. */
const STYLE_COLOUR = /^(\s*)((?:Primary|Secondary|Outline|Back|Tertiary)Colou?r)(\s*=\s*)(\S.*)?$/i;

/** Common colour names, with the values of ffmpeg. libass reads a name as 0, which is black. */
const NAMED: Readonly<Record<string, string>> = {
  ...{ black: '000000', white: 'ffffff', gray: '808080', silver: 'c0c0c0', red: 'ff0000', maroon: '800000' },
  ...{ lime: '00ff00', green: '008000', blue: '0000ff', navy: '000080', yellow: 'ffff00', olive: '808000' },
  ...{ cyan: '00ffff', aqua: '00ffff', teal: '008080', magenta: 'ff00ff', fuchsia: 'ff00ff', purple: '800080' },
  ...{ orange: 'ffa500', pink: 'ffc0cb', brown: 'a52a2a', gold: 'ffd700' },
};

/** Returns the RRGGBB(AA) of a colour as in HTML. libass reads `0xRRGGBB` as BBGGRR. undefined: libass reads it right, or unclear. */
function meantDigits(value: string): string | undefined {
  if (/^#[\da-f]{3}$/i.test(value)) return value.slice(1).replaceAll(/./g, '$&$&');
  const [, prefixed, alpha = ''] = /^#([\da-f]{6})([\da-f]{2})?$/i.exec(value) ?? [];
  const bare = /^(?:0x)?(?=.*[\da-f])([\da-f]{6})$/i.exec(value)?.[1];
  const isDecimal = /^\d+$/.test(value);
  const digits = prefixed ?? (isDecimal ? undefined : bare) ?? NAMED[value.toLowerCase()];
  if (digits === undefined) return undefined;
  // `0xFF00FF` is the same colour in both orders of its bytes.
  const isSymmetric = /^0x/i.test(value) && digits.slice(0, 2).toLowerCase() === digits.slice(4).toLowerCase();
  return isSymmetric ? undefined : `${digits}${alpha}`;
}

/** Prints a colour as ASS writes it: `&HAABBGGRR`, where the alpha 00 is opaque. */
function assColour(digits: string): string {
  const [red, green, blue] = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4, 6)];
  const opacity = digits.length > 6 ? Number.parseInt(digits.slice(6), 16) : 255;
  const alpha = (255 - opacity).toString(16).padStart(2, '0');
  return `&H${alpha}${blue}${green}${red}`.toUpperCase();
}

/** Returns a style with corrected colours, and the first part that was wrong. `wrong` is undefined if the style is right. */
export function correctedStyle(style: string): { readonly style: string; readonly wrong: string | undefined } {
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
