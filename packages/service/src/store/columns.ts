import type { Insertable, Selectable, Updateable } from 'kysely';

/** Parses a JSON column. Does not check the shape, because the service itself wrote the JSON. */
export const parseJsonColumn = <T>(text: string | null): T | undefined =>
  text === null ? undefined : (JSON.parse(text) as T);

export const toJsonColumn = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

type WithoutNullish<T> = { [K in keyof T]?: NonNullable<T[K]> };

export function omitNullish<T extends object>(members: T): WithoutNullish<T> {
  const result: WithoutNullish<T> = {};
  for (const key in members) {
    const value = members[key];
    if (value !== null && value !== undefined) result[key] = value;
  }
  return result;
}

/**
 * How a field is stored. A column name alone: as text or a number. `flag`: a boolean as 1 or 0. `json`: any other value
 * as JSON.
 */
type ColumnOf<Field, Table> = [Field] extends [string | number]
  ? keyof Table
  : [Field] extends [boolean]
    ? { readonly flag: keyof Table }
    : { readonly json: keyof Table };

type NameOf<Column> = Column extends { readonly json: infer Name } | { readonly flag: infer Name } ? Name : Column;

/** The column of each field of a record. The column of a field without a value is null. */
type Columns<Record, Table> = { readonly [Field in keyof Record]-?: ColumnOf<NonNullable<Record[Field]>, Table> };

const KINDS = {
  plain: { read: (value: unknown) => value, write: (value: unknown) => value ?? null },
  json: { read: (value: unknown) => JSON.parse(String(value)), write: toJsonColumn },
  flag: {
    read: (value: unknown) => value === 1,
    write: (value: unknown) => (value === undefined ? null : Number(value)),
  },
};

/** Creates functions that convert between records and rows of a table. `columnOf`: the column of each field. */
export const recordsOf =
  <Record extends object, Table>() =>
  <const C extends Columns<Record, Table>>(columnOf: C) => {
    type Name = NameOf<C[keyof C]> & keyof Table;
    const fields = Object.entries(columnOf).map(([field, column]) => {
      if (typeof column !== 'object') return { field, column: String(column), ...KINDS.plain };
      const [[kind = 'plain', name] = []] = Object.entries(column as { readonly [kind: string]: unknown });
      return { field, column: String(name), ...KINDS[kind as keyof typeof KINDS] };
    });
    return {
      fields: fields.map(({ field }) => field),
      columns: fields.map(({ column }) => column) as unknown as readonly Name[],
      /** Converts a row to a record. Leaves out fields whose column is null. */
      read(row: Pick<Selectable<Table>, Name & keyof Selectable<Table>>): Record {
        const record: { [field: string]: unknown } = {};
        for (const { field, column, read } of fields) {
          const value = (row as { readonly [column: string]: unknown })[column];
          if (value !== null) record[field] = read(value);
        }
        return record as Record;
      },
      /** Converts some fields. null removes a value. */
      writeSome: (some: { readonly [Field in keyof Record]?: Record[Field] | null }): Updateable<Table> =>
        Object.fromEntries(
          fields.flatMap(({ field, column, write }) => {
            const value = some[field as keyof Record];
            return value === undefined ? [] : [[column, value === null ? null : write(value)]];
          }),
        ) as Updateable<Table>,
      write: (record: Record): Insertable<Table> =>
        Object.fromEntries(
          fields.map(({ field, column, write }) => [column, write(record[field as keyof Record])]),
        ) as Insertable<Table>,
    };
  };
