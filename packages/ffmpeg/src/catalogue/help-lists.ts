import { kindOfLetter, type ListedCodec, type ListedFilter, type ListedFormat } from './catalogue.ts';

/** Parses `-muxers` or `-demuxers`. A line may have several names: `sdl,sdl2`. */
export function parseFormatList(text: string): ReadonlyMap<string, ListedFormat> {
  const formats = new Map<string, ListedFormat>();
  for (const line of linesAfterRule(text)) {
    // Since 7.0, a third column marks devices.
    const [, names, description = ''] = /^ [D ][E ](?:[d ] | )(\S+)\s*(.*)$/.exec(line) ?? [];
    for (const name of names?.split(',') ?? []) formats.set(name, { description: description.trim() });
  }
  return formats;
}

export function parseCodecList(text: string): ReadonlyMap<string, ListedCodec> {
  const codecs = new Map<string, ListedCodec>();
  for (const line of linesAfterRule(text)) {
    const [, letter, flags, name, description = '', codec] =
      /^ ([VAS])(\S{5}) (\S+)\s*(.*?)(?: \(codec (\S+)\))?\s*$/.exec(line) ?? [];
    const kind = kindOfLetter(letter ?? '');
    if (kind === undefined || name === undefined) continue;
    codecs.set(name, { kind, codec: codec ?? name, description, experimental: flags?.[2] === 'X' });
  }
  return codecs;
}

/** Parses `-filters`. Only the line of a filter has an arrow. Since 9.0, the column for commands is missing. */
export function parseFilterList(text: string): ReadonlyMap<string, ListedFilter> {
  const filters = new Map<string, ListedFilter>();
  for (const line of text.split('\n')) {
    const [, timeline, name, inputs, outputs, description] =
      /^ ([T.])[S.][C.]? (\S+)\s+([AVN|]+)->([AVN|]+)\s+(.*)$/.exec(line) ?? [];
    if (name === undefined || inputs === undefined || outputs === undefined) continue;
    filters.set(name, { inputs, outputs, description: description?.trim() ?? '', timeline: timeline === 'T' });
  }
  return filters;
}

/** Parses `-bsfs`: a title, then one name per line. */
export const parseBsfList = (text: string): ReadonlySet<string> =>
  new Set(text.split(/\s*\n/).slice(1).filter(Boolean));

/** The lines after the legend of a list, which ends with a line of dashes. */
function linesAfterRule(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.slice(lines.findIndex((line) => /^ *-+\s*$/.test(line)) + 1);
}
