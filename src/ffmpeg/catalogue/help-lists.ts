import type { CodecKind, ListedCodec, ListedFilter, ListedFormat } from './catalogue.ts';

/** Parses `-muxers` or `-demuxers`. A line may contain several names: `sdl,sdl2`. */
export function parseFormatList(text: string): ReadonlyMap<string, ListedFormat> {
  const formats = new Map<string, ListedFormat>();
  for (const line of linesAfterRule(text)) {
    // Since 7.0 a third column marks devices.
    const [, names, description = ''] = /^ [D ][E ](?:[d ] | )(\S+)\s*(.*)$/.exec(line) ?? [];
    for (const name of names?.split(',') ?? []) formats.set(name, { description: description.trim() });
  }
  return formats;
}

const KINDS: Readonly<Record<string, CodecKind>> = { V: 'video', A: 'audio', S: 'subtitle' };

/** Parses `-encoders` or `-decoders`. */
export function parseCodecList(text: string): ReadonlyMap<string, ListedCodec> {
  const codecs = new Map<string, ListedCodec>();
  for (const line of linesAfterRule(text)) {
    const [, letter, flags, name, description = '', codec] =
      /^ ([VAS])(\S{5}) (\S+)\s*(.*?)(?: \(codec (\S+)\))?\s*$/.exec(line) ?? [];
    const kind = KINDS[letter ?? ''];
    if (kind === undefined || name === undefined) continue;
    codecs.set(name, { kind, codec: codec ?? name, description, experimental: flags?.[2] === 'X' });
  }
  return codecs;
}

/** Parses `-filters`. Only lines of filters contain an arrow. Since 9.0, there is no column for commands. */
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
  new Set(
    text
      .split('\n')
      .slice(1)
      .map((line) => line.trim())
      .filter((line) => /^\S+$/.test(line)),
  );

/** Parses `-pix_fmts`, without hardware formats. */
export const parsePixelFormats = (text: string): ReadonlySet<string> =>
  new Set(linesAfterRule(text).flatMap((line) => /^[I.][O.]\.[P.][B.] (\S+)/.exec(line)?.[1] ?? []));

/** Parses `-sample_fmts` and similar lists: a title, then one name with its description per line. */
export const parseTable = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split('\n')
      .slice(1)
      .flatMap((line) => /^(\S+)\s+\S/.exec(line)?.[1] ?? []),
  );

/** Parses `-colors` in lower case: ffmpeg prints `Tomato` and ignores case. */
export const parseColors = (text: string): ReadonlySet<string> => parseTable(text.toLowerCase());

/** Parses `-layouts`: single channels, then named layouts. */
export const parseLayouts = (text: string): ReadonlySet<string> =>
  new Set(text.split('\n').flatMap((line) => /^(?!NAME\s)(\S+)\s+[A-Za-z].*(?<!:)$/.exec(line)?.[1] ?? []));

/** Returns the lines after the legend, which ends with a line of dashes. */
function linesAfterRule(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.slice(lines.findIndex((line) => /^ *-+\s*$/.test(line)) + 1);
}
