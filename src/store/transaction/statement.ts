import type { Compilable, Kysely, QueryResult } from 'kysely';
import type { Schema } from '../schema.ts';

/** A query whose text is made once; each call brings its values. */
export type Statement<Values, Row> = (db: Kysely<Schema>, values: Values) => Promise<QueryResult<Row>>;

/** Stands in a query for a value that a call brings, in the row of this number. */
class Slot {
  readonly row: number;
  readonly name: PropertyKey;

  constructor(row: number, name: PropertyKey) {
    this.row = row;
    this.name = name;
  }
}

function compile<Values extends object, Row>(
  rows: number,
  build: (slots: readonly Values[]) => Compilable<Row>,
): Statement<readonly Values[], Row> {
  const slots = Array.from({ length: rows }, (_, row) => new Proxy({}, { get: (_, name) => new Slot(row, name) }));
  const compiled = build(slots as Values[]).compile();
  return (db, values) =>
    db.executeQuery<Row>({
      ...compiled,
      parameters: compiled.parameters.map((p) => (p instanceof Slot ? values[p.row]?.[p.name as keyof Values] : p)),
    });
}

/**
 * Compiles the query that `build` makes of slots instead of values. For the paths that every request takes: building
 * and compiling costs some 2 µs, running what is compiled 0.6 µs. A slot may stand only where the query takes a
 * value; conditions on it would be met by the slot itself.
 */
export function compileStatement<Values extends object, Row>(
  build: (slots: Values) => Compilable<Row>,
): Statement<Values, Row> {
  const run = compile(1, ([slots]: readonly Values[]) => build(slots as Values));
  return (db, values) => run(db, [values]);
}

/** Rows that one statement writes at most: more would gain little, and SQLite counts its parameters. */
const MOST_ROWS = 32;

/** The same for a write of any number of rows, by statements of 32 rows, 16, 8, 4, 2 and 1. */
export function compileInsert<Values extends object>(
  build: (slots: readonly Values[]) => Compilable<unknown>,
): (db: Kysely<Schema>, rows: readonly Values[]) => Promise<void> {
  const statements = new Map<number, Statement<readonly Values[], unknown>>();
  const ofSize = (size: number): Statement<readonly Values[], unknown> => {
    const known = statements.get(size);
    if (known !== undefined) return known;
    const made = compile(size, build);
    statements.set(size, made);
    return made;
  };
  return async (db, rows) => {
    let done = 0;
    for (let size = MOST_ROWS; done < rows.length; size /= 2)
      for (; rows.length - done >= size; done += size) await ofSize(size)(db, rows.slice(done, done + size));
  };
}

/** Whether a write met any row. */
export const changedRows = (result: { readonly numAffectedRows?: bigint }): boolean =>
  (result.numAffectedRows ?? 0n) > 0n;
