import { lazy, type ReactNode, Suspense, useId, useState } from 'react';
import { loadPart } from '../app/load-part.ts';
import { DataTable } from './data-table.tsx';
import styles from './plot.module.css';

/** A row of values over the same times. */
export interface Series {
  readonly name: string;
  /** One of the colours of the theme, such as `--accent`. */
  readonly colour: `--${string}`;
  /** A value for each time. Null where there is none. */
  readonly values: readonly (number | null)[];
  /** Default: `line`. */
  readonly shape?: 'line' | 'bars';
  /** What the legend says, such as the sum. */
  readonly summary?: string;
}

interface Props {
  readonly title: string;
  /** In seconds since 1970, ascending. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  /** Writes a value for the axis and the table. */
  readonly format?: (value: number) => string;
  /** Whether the values are counts, so that nothing is between two whole numbers. */
  readonly isCount?: boolean;
  /** Writes a time for the axis and the table. */
  readonly formatTime: (seconds: number) => string;
  /** What is shown if there is nothing to plot. */
  readonly empty?: ReactNode;
}

const countText = (value: number): string => value.toLocaleString();

/** The library is loaded with the first plot. */
const PlotCanvas = lazy(async () => ({ default: (await loadPart(() => import('./plot-canvas.tsx'))).PlotCanvas }));

/** Values over time: a chart, and a table of the same values for those who read rather than look. */
export function Plot({
  title,
  times,
  series,
  isCount = false,
  format = isCount ? countText : String,
  formatTime,
  empty,
}: Props) {
  const heading = useId();
  const [isRead, setRead] = useState(false);
  // The title names what is alone.
  const named = series.filter(({ name }) => name !== title);
  const isEmpty = series.every(({ values }) => values.every((value) => value === null || value === 0));
  return (
    <section className={styles.plot} aria-labelledby={heading}>
      <div className={styles.head}>
        <h2 id={heading}>{title}</h2>
        <ul className={styles.legend}>
          {named.map(({ name, colour, summary }) => (
            <li key={name} style={{ '--series': `var(${colour})` } as React.CSSProperties}>
              {name}
              {summary !== undefined && ` ${summary}`}
            </li>
          ))}
        </ul>
      </div>
      {isEmpty && empty !== undefined ? (
        <p className={styles.values}>{empty}</p>
      ) : (
        <>
          <div className={styles.canvas} aria-hidden="true">
            <Suspense fallback={<p className={styles.values}>Loading…</p>}>
              <PlotCanvas times={times} series={series} isCount={isCount} format={format} formatTime={formatTime} />
            </Suspense>
          </div>
          <details className={styles.values} onToggle={({ currentTarget }) => setRead(currentTarget.open)}>
            <summary>Show the values</summary>
            {isRead && (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
              <div className={styles.scroll} role="group" aria-labelledby={heading} tabIndex={0}>
                <DataTable
                  label={title}
                  rows={times.map((time, index) => ({ time, index })).toReversed()}
                  keyOf={({ time }) => String(time)}
                  empty="No values."
                  columns={[
                    { name: 'Time', cell: ({ time }) => formatTime(time) },
                    ...series.map(({ name, values }) => ({
                      name,
                      isNumber: true,
                      cell: ({ index }: { readonly index: number }) => {
                        const value = values[index] ?? null;
                        return value === null ? '–' : format(value);
                      },
                    })),
                  ]}
                />
              </div>
            )}
          </details>
        </>
      )}
    </section>
  );
}
