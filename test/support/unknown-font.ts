import { readFile, writeFile } from 'node:fs/promises';

/** A family that no machine has. */
export const UNKNOWN_FAMILY = 'Telecine Txt';

/** A serif font, which Debian installs with ffmpeg, unlike the sans-serif one that replaces unknown fonts. */
const SERIF = '/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf';

/** Writes a font of the family `UNKNOWN_FAMILY`, with the glyphs of DejaVu Serif. The names have equal lengths. */
export async function writeUnknownFont(path: string): Promise<void> {
  const font = await readFile(SERIF);
  const names = [
    ['DejaVu Serif', UNKNOWN_FAMILY],
    ['DejaVuSerif', UNKNOWN_FAMILY.replace(' ', '')],
  ] as const;
  for (const [from, to] of names)
    for (const encode of [latin, bigEndian])
      for (let at = font.indexOf(encode(from)); at >= 0; at = font.indexOf(encode(from), at)) font.set(encode(to), at);
  await writeFile(path, font);
}

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
