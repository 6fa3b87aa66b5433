/**
 * The rows of a list in the places that they had, and new ones after them, so that a second press at the same place acts on no other row.
 * `before`: the rows when their places were fixed. `now`: the listed rows. `unlisted`: returns what stays in the place of a row that is no
 * longer listed. undefined: nothing, and the rows below it move up.
 */
export function rowsInPlaces<Row>(
  before: readonly Row[],
  now: readonly Row[],
  keyOf: (row: Row) => string,
  unlisted: (row: Row) => Row | undefined,
): readonly Row[] {
  const listed = new Map(now.map((row) => [keyOf(row), row]));
  const placed = new Set(before.map(keyOf));
  return [
    ...before.flatMap((row) => listed.get(keyOf(row)) ?? unlisted(row) ?? []),
    ...now.filter((row) => !placed.has(keyOf(row))),
  ];
}
