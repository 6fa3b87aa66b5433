import type { ReactNode } from 'react';
import styles from './data-table.module.css';
import { Empty } from './empty.tsx';

export interface Column<Row> {
  /** The heading. Empty for a column of buttons. */
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
  /** In a narrow window, this column is shown next to the row's name, without a heading. Only one column can have it, such as a state. */
  readonly isBesideName?: boolean;
  /** In a narrow window, this value is known without its heading, such as a time, and shares a line with the others of this kind. */
  readonly isPlain?: boolean;
}

interface Props<Row> {
  /** The name of the table for screen readers. */
  readonly label: string;
  /** The first column names the row. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Replaces the table if there are no rows. */
  readonly empty: ReactNode;
}

/**
 * A table for a small number of rows. In a narrow window, each row is a block. The ARIA roles are set because this layout hides the table
 * structure from browsers.
 */
export function DataTable<Row>({ label, columns, rows, keyOf, empty }: Props<Row>) {
  if (rows.length === 0) return <Empty>{empty}</Empty>;
  return (
    <div className={styles.frame}>
      <table role="table" aria-label={label} className={styles.table}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ name, isNumber }) => (
              <th key={name} role="columnheader" scope="col" className={isNumber ? styles.number : undefined}>
                {name === '' ? <span className="visually-hidden">Actions</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map(({ name, cell, isNumber, isBesideName, isPlain }, index) =>
                index === 0 ? (
                  <th key={name} role="rowheader" scope="row">
                    {cell(row)}
                  </th>
                ) : (
                  <td
                    key={name}
                    role="cell"
                    data-name={name}
                    data-beside={isBesideName}
                    data-plain={isPlain}
                    className={isNumber ? styles.number : undefined}
                  >
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
