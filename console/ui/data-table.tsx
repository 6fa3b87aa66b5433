import type { ComponentProps, ReactNode } from 'react';
import styles from './data-table.module.css';
import { Empty } from './empty.tsx';

export interface Column<Row> {
  /** The heading. Empty for a column of buttons. */
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
  /** In a narrow window, this column is shown next to the row's name, without a heading. At most one state and one button have it. */
  readonly isBesideName?: boolean;
  /** In a narrow window, this value is known without its heading, such as a time. */
  readonly isPlain?: boolean;
  /** This column has sentences: it takes the room that the others leave. */
  readonly isWide?: boolean;
  /** This column has a `RowMenu`, and must be the last one. */
  readonly isMenu?: boolean;
}

interface Props<Row> {
  /** The name of the table for screen readers. */
  readonly label: string;
  /** The first column names the row. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Replaces the table if there are no rows: a title, or what `Empty` has. */
  readonly empty: ReactNode;
  /** The icon above `empty`. */
  readonly icon?: ComponentProps<typeof Empty>['icon'];
}

/**
 * A table for a small number of rows. In a narrow window, each row is a block of two lines: its name and state, then its values. The ARIA roles are set because this layout hides the table
 * structure from browsers.
 */
export function DataTable<Row>({ label, columns, rows, keyOf, empty, icon }: Props<Row>) {
  if (rows.length === 0) return <Empty icon={icon}>{empty}</Empty>;
  return (
    <div className={styles.frame}>
      <table role="table" aria-label={label} className={styles.table}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ name, isNumber, isWide }) => (
              <th
                key={name}
                role="columnheader"
                scope="col"
                data-wide={isWide}
                className={isNumber ? styles.number : undefined}
              >
                {name === '' ? <span className="visually-hidden">Actions</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map(({ name, cell, isNumber, isBesideName, isPlain, isWide, isMenu }, index) =>
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
                    data-wide={isWide}
                    data-menu={isMenu}
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
