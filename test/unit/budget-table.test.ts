import { expect, test } from 'vitest';
import { differences, ENGINES, type Measured, writeTable } from '../budgets/table.ts';

const TABLE = `# Budgets

What they are.

## Submission

The second in a row.

| count | SQLite | PostgreSQL |
|---|--:|--:|
| SQL statements | 6 | 7 |
| fs access | 2 | 0 |
`;

/** One path, with the same counts on both engines. */
const measuredAs = (counts: Readonly<Record<string, Readonly<Record<string, number>>>>, path = 'Submission') =>
  ({ SQLite: new Map([[path, counts]]), PostgreSQL: new Map([[path, counts]]) }) satisfies Measured;

const allDifferences = (text: string, measured: Measured) =>
  ENGINES.flatMap((engine) => differences(text, engine, measured[engine]));

test('a number that rose, one that fell and one that the table lacks differ from it', () => {
  const measured = measuredAs({ 'SQL statements': { 'select 1': 4, 'select 2': 3 }, 'zod parses': { '': 1 } });
  const [first, ...others] = allDifferences(TABLE, measured);
  expect(first).toEqual({
    path: 'Submission',
    name: 'SQL statements',
    engine: 'SQLite',
    budget: 6,
    measured: 7,
    details: { 'select 1': 4, 'select 2': 3 },
  });
  expect(others.map(({ name, engine, budget, measured: now }) => [name, engine, budget, now])).toEqual([
    ['fs access', 'SQLite', 2, 0],
    ['zod parses', 'SQLite', 0, 1],
    ['zod parses', 'PostgreSQL', 0, 1],
  ]);
});

test('a path that is not counted any more differs from the table', () => {
  const found = allDifferences(TABLE, measuredAs({}, 'Other'));
  expect(found.map(({ path, name, engine }) => [path, name, engine])).toEqual([
    ['Submission', 'SQL statements', 'SQLite'],
    ['Submission', 'fs access', 'SQLite'],
    ['Submission', 'SQL statements', 'PostgreSQL'],
  ]);
});

test('the table that is written has the numbers that were measured, and keeps its texts', () => {
  const measured = measuredAs({ 'SQL statements': { '': 5 }, 'modules loaded, ours': { '': 51 } });
  const text = writeTable(TABLE, measured);
  expect(text).toBe(
    TABLE.replace('| 6 | 7 |', '| 5 | 5 |').replace('| fs access | 2 | 0 |', '| modules loaded, ours | 75 | 75 |'),
  );
  expect(allDifferences(text, measured)).toEqual([]);
  expect(writeTable(text, measured)).toBe(text);
});
