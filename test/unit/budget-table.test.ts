import { expect, test } from 'vitest';
import { ENGINES, excesses, type Measured, writeTable } from '../budgets/table.ts';

const TABLE = `# Budgets

What they are.

## Submission

The second in a row.

| count | SQLite | PostgreSQL |
|---|--:|--:|
| SQL statements | 6 | 7 |
| file calls | 2 | 0 |
`;

/** One path, with the same counts on both engines. */
const measuredAs = (counts: Readonly<Record<string, Readonly<Record<string, number>>>>, path = 'Submission') =>
  ({ SQLite: new Map([[path, counts]]), PostgreSQL: new Map([[path, counts]]) }) satisfies Measured;

const allExcesses = (text: string, measured: Measured) =>
  ENGINES.flatMap((engine) => excesses(text, engine, measured[engine]));

test('reports a count above its number and one that the table lacks, and not one below', () => {
  const measured = measuredAs({
    'SQL statements': { 'select 1': 4, 'select 2': 3 },
    'file calls': { '': 1 },
    fsyncs: { '': 1 },
  });
  const [first, ...others] = allExcesses(TABLE, measured);
  expect(first).toEqual({
    path: 'Submission',
    name: 'SQL statements',
    engine: 'SQLite',
    budget: 6,
    measured: 7,
    details: { 'select 1': 4, 'select 2': 3 },
  });
  expect(others.map(({ name, engine, budget, measured: now }) => [name, engine, budget, now])).toEqual([
    ['fsyncs', 'SQLite', 0, 1],
    ['file calls', 'PostgreSQL', 0, 1],
    ['fsyncs', 'PostgreSQL', 0, 1],
  ]);
});

test('reports each count of a path that the table lacks', () => {
  const found = allExcesses(TABLE, measuredAs({ fsyncs: { '': 1 } }, 'Other'));
  expect(found.map(({ path, name, engine }) => [path, name, engine])).toEqual([
    ['Other', 'fsyncs', 'SQLite'],
    ['Other', 'fsyncs', 'PostgreSQL'],
  ]);
});

test('the table that is written has the numbers that were measured, and keeps its texts', () => {
  const measured = measuredAs({ 'SQL statements': { '': 5 }, fsyncs: { '': 3 } });
  const text = writeTable(TABLE, measured);
  expect(text).toBe(TABLE.replace('| 6 | 7 |', '| 5 | 5 |').replace('| file calls | 2 | 0 |', '| fsyncs | 3 | 3 |'));
  expect(allExcesses(text, measured)).toEqual([]);
  expect(writeTable(text, measured)).toBe(text);
});
