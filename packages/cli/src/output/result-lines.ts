import { table } from './format.ts';

/** A column of a list: a member of each item, or a heading and the value below it. */
export type Column<T> = (keyof T & string) | readonly [heading: string, cellOf: (item: T) => unknown];

/** Formats a list as a table. `none`: what is printed for an empty list. */
export function listLines<T extends object>(
  items: readonly T[],
  columns: readonly Column<T>[],
  none = 'There are none.',
): readonly string[] {
  if (items.length === 0) return [none];
  const all = columns.map((column) =>
    typeof column === 'string'
      ? ([wordsOf(column).toUpperCase(), (item: T): unknown => item[column]] as const)
      : column,
  );
  return table([
    all.map(([heading]) => heading),
    ...items.map((item) => all.map(([, cellOf]) => valueText(cellOf(item)))),
  ]);
}

/** Formats an object as one line for each member that has a value. */
export const recordLines = (record: object): readonly string[] =>
  table(
    Object.entries(record)
      .map(([name, value]) => [wordsOf(name), name === 'links' ? '' : valueText(value)])
      .filter(([, text]) => text !== ''),
  );

/** Splits the name of a member into words: `previousExpiresAt` becomes `previous expires at`. */
const wordsOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Formats a value as one line: `ready 190, submitted 20`. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map(valueText).join('  ');
  return Object.entries(value)
    .map(([name, one]) => `${wordsOf(name)} ${valueText(one)}`)
    .join(', ');
}
