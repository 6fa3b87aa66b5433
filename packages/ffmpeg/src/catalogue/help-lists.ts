import { FILTERS } from '../allowlist/filters.ts';
import {
  type ComponentHelp,
  componentKey,
  kindOfLetter,
  type ListedCodec,
  type ListedFilter,
  type ListedFormat,
} from './catalogue.ts';

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

const namesIn = (lines: readonly string[], shape: RegExp): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => shape.exec(line)?.[1] ?? []));

/** Parses `-bsfs`: a title, then one name per line. */
export const parseBsfList = (text: string): ReadonlySet<string> => namesIn(text.split('\n').slice(1), /^\s*(\S+)\s*$/);

/** Parses `-pix_fmts` without the formats of hardware devices. */
export const parsePixelFormats = (text: string): ReadonlySet<string> =>
  namesIn(linesAfterRule(text), /^[I.][O.]\.[P.][B.] (\S+)/);

/** Parses `-sample_fmts` and similar lists: a title, then a name and its description per line. */
export const parseTable = (text: string): ReadonlySet<string> => namesIn(text.split('\n').slice(1), /^(\S+)\s+\S/);

/** Parses `-colors` in lower case: ffmpeg prints `Tomato`, but ignores case. */
export const parseColors = (text: string): ReadonlySet<string> => parseTable(text.toLowerCase());

/** Parses `-layouts`: single channels, then named layouts. */
export const parseLayouts = (text: string): ReadonlySet<string> =>
  namesIn(text.split('\n'), /^(?!NAME\s)(\S+)\s+[A-Za-z].*(?<!:)$/);

/** The lines after the legend of a list, which ends with a line of dashes. */
function linesAfterRule(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.slice(lines.findIndex((line) => /^ *-+\s*$/.test(line)) + 1);
}

/**
 * Filters whose own help says more than `-filters` and `-h full` together: options of a library, or names of pads. In the recordings of
 * ffmpeg 5.1, 7.1 and 9.0, there are no other such filters.
 */
const SAYS_MORE: ReadonlySet<string> = new Set(['alimiter', 'aresample', 'scale', 'spp', 'tiltandshift', 'vmafmotion']);

const MEDIA: Readonly<Record<string, string>> = { A: 'audio', V: 'video' };

/** Matches the start of each class in `-h full`, `NAME AVOptions:`. Its options follow, one per line. */
const CLASSES = /^(?=\S.* AVOptions:$)/m;

/**
 * The help of most allowed filters, assembled from other help that is known already, so that these filters need no query. Each text is the
 * same as from `ffmpeg -h filter=NAME`; its key is `filter=NAME`. Only for filters with at most one input and one output, and a class of
 * options with their name.
 *
 * @param full The output of `-h full`.
 */
export function filterHelp(
  full: string,
  filters: ReadonlyMap<string, ListedFilter>,
): ReadonlyMap<string, ComponentHelp> {
  const classes = new Map<string, string | undefined>();
  for (const text of full.split(CLASSES).slice(1)) {
    const name = text.slice(0, text.indexOf(' AVOptions:\n'));
    classes.set(name, classes.has(name) ? undefined : text);
  }
  const helps = new Map<string, ComponentHelp>();
  for (const [name, { inputs, outputs, description, timeline }] of filters) {
    const options = classes.get(name);
    const [before, after] = [padHelp(inputs, 'source'), padHelp(outputs, 'sink')];
    if (options === undefined || before === undefined || after === undefined) continue;
    if (!FILTERS.has(name) || SAYS_MORE.has(name)) continue;
    const note = timeline ? "\nThis filter has support for timeline through the 'enable' option.\n" : '';
    const pads = `    Inputs:\n${before}    Outputs:\n${after}`;
    const text = `Filter ${name}\n  ${description}\n${pads}${options.trimEnd()}\n${note}`;
    helps.set(componentKey({ kind: 'filter', name }), { text });
  }
  return helps;
}

/**
 * The help lines for the pads of one side. `pads`: `V`, `A`, or `|` for no pads. undefined: the letters do not show the names of the pads.
 */
function padHelp(pads: string, kind: 'source' | 'sink'): string | undefined {
  if (pads === '|') return `        none (${kind} filter)\n`;
  const media = MEDIA[pads];
  return media === undefined ? undefined : `       #0: default (${media})\n`;
}
