import { kindOfLetter, type Listed, type ListedCodec, type ListedFilter } from './catalogue.ts';

/** The line of dashes after the legend of a list. The lists of filters and bitstream filters have none. */
const RULE = /^ *-+\s*$/m;

/** Parses the matching lines of a list, without its legend. */
const parseList = <T extends Listed>(
  text: string,
  line: RegExp,
  entriesOf: (match: RegExpExecArray) => readonly T[],
): ReadonlyMap<string, T> => {
  const matches = text.slice(Math.max(0, text.search(RULE))).matchAll(line);
  return new Map([...matches].flatMap(entriesOf).map((one) => [one.name, one]));
};

/** Parses `-muxers` or `-demuxers`. A line may have several names: `sdl,sdl2`. Since 7.0, a third column marks devices. */
export const parseFormatList = (text: string): ReadonlyMap<string, Listed> =>
  parseList(text, /^ [D ][E ](?:[d ] | )(\S+) *(.*?) *$/gm, ([, names = '', description = '']) =>
    names.split(',').map((name) => ({ name, description })),
  );

export const parseCodecList = (text: string): ReadonlyMap<string, ListedCodec> =>
  parseList(
    text,
    /^ ([VAS])\S\S(\S)\S\S (\S+) *(.*?)(?: \(codec (\S+)\))? *$/gm,
    ([, letter = '', mark, name = '', description = '', codec = name]) => {
      const kind = kindOfLetter(letter);
      return kind === undefined ? [] : [{ name, kind, codec, description, experimental: mark === 'X' }];
    },
  );

/** Parses `-filters`. Only the line of a filter has an arrow. Since 9.0, the column for commands is missing. */
export const parseFilterList = (text: string): ReadonlyMap<string, ListedFilter> =>
  parseList(
    text,
    /^ ([T.])[S.][C.]? (\S+) +([AVN|]+)->([AVN|]+) +(.*?) *$/gm,
    ([, mark, name = '', inputs = '', outputs = '', description = '']) => [
      { name, description, inputs, outputs, timeline: mark === 'T' },
    ],
  );

/** Parses `-bsfs`: a title, then one name per line. */
export const parseBsfList = (text: string): ReadonlyMap<string, Listed> =>
  parseList(text, /^(\w+)\s*$/gm, ([, name = '']) => [{ name, description: '' }]);
