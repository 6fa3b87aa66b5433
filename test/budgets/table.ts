import type { Counts } from './counted-service.ts';

/** The engines of the table, in the order of its columns. */
export const ENGINES = ['SQLite', 'PostgreSQL'] as const;
export type Engine = (typeof ENGINES)[number];

/** What was counted on each engine, by path. */
export type Measured = Readonly<Record<Engine, ReadonlyMap<string, Counts>>>;

/** A count above its number in the table. */
export interface Excess {
  readonly path: string;
  readonly name: string;
  readonly engine: Engine;
  readonly budget: number;
  readonly measured: number;
  /** What was counted, with how often. */
  readonly details: Readonly<Record<string, number>>;
}

/** The number of a count as the table has it. */
export function numberOf(counts: Counts, name: string): number {
  return Object.values(counts[name] ?? {}).reduce((sum, times) => sum + times, 0);
}

/** Reads the tables of the Markdown text: for each path, for each count, a number for each engine. */
function readTable(text: string): ReadonlyMap<string, ReadonlyMap<string, readonly number[]>> {
  const paths = new Map<string, Map<string, readonly number[]>>();
  let rows = new Map<string, readonly number[]>();
  for (const line of text.split('\n')) {
    const heading = /^## (.*)$/.exec(line)?.[1];
    if (heading !== undefined) {
      rows = new Map();
      paths.set(heading, rows);
    }
    const [, name, ...numbers] = /^\| (.*?) \| (\d+) \| (\d+) \|$/.exec(line) ?? [];
    if (name !== undefined) rows.set(name, numbers.map(Number));
  }
  return paths;
}

/** Returns the counts of an engine that are above the table. What the table lacks is 0. */
export function excesses(text: string, engine: Engine, measured: Measured[Engine]): readonly Excess[] {
  const table = readTable(text);
  const column = ENGINES.indexOf(engine);
  return [...measured].flatMap(([path, counts]) =>
    Object.entries(counts).flatMap(([name, details]) => {
      const number = numberOf(counts, name);
      const budget = table.get(path)?.get(name)?.[column] ?? 0;
      return number <= budget ? [] : [{ path, name, engine, budget, measured: number, details }];
    }),
  );
}

/** Replaces the numbers of the Markdown text by those that were measured. Keeps all other lines. */
export function writeTable(text: string, measured: Measured): string {
  const [intro = '', ...sections] = text.split(/^(?=## )/m);
  const known = new Map(sections.map((section) => [/^## (.*)$/m.exec(section)?.[1] ?? '', section]));
  const paths = [...measured.SQLite.keys()].map((path) => {
    const notes = (known.get(path) ?? `## ${path}\n`)
      .split('\n')
      .slice(1)
      .filter((line) => !line.startsWith('|'));
    const note = notes.join('\n').trim();
    return `## ${path}\n\n${note === '' ? '' : `${note}\n\n`}${rowsOf(path, measured)}\n`;
  });
  return `${[intro.trimEnd(), ...paths].join('\n\n').replaceAll('\n\n\n', '\n\n')}`;
}

function rowsOf(path: string, measured: Measured): string {
  const counts = ENGINES.map((engine) => measured[engine].get(path) ?? {});
  const names = [...new Set(counts.flatMap((each) => Object.keys(each)))].toSorted();
  const rows = names.map((name) => `| ${name} | ${counts.map((each) => numberOf(each, name)).join(' | ')} |`);
  return [`| count | ${ENGINES.join(' | ')} |`, '|---|--:|--:|', ...rows].join('\n');
}
