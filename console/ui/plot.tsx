import { type ReactNode, useId, useState } from 'react';
import { lazyComponent } from '../app/lazy-component.tsx';
import { DataTable } from './data-table.tsx';
import { Loading } from './loading.tsx';
import styles from './plot.module.css';

export interface Series {
  readonly name: string;
  /** The CSS variable of a colour of the theme, such as `--running`. */
  readonly colour: `--${string}`;
  /** One value for each time. null: no value. */
  readonly values: readonly (number | null)[];
  /** Default: `line`. */
  readonly shape?: 'line' | 'bars';
  /** A text in the legend, such as the sum of the values. */
  readonly summary?: string;
}

interface Props {
  readonly title: string;
  /** In seconds since 1970, ascending. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  /** Formats a value for the axis and the table. */
  readonly format?: (value: number) => string;
  /** Whether the values are counts. The axis then has only whole numbers. */
  readonly isCount?: boolean;
  /** Whether the values are seconds. The axis then has whole minutes, hours and days. */
  readonly isDuration?: boolean;
  /** Formats a time for the axis and the table. */
  readonly formatTime: (seconds: number) => string;
  /** Replaces the plot if all values are 0 or missing. */
  readonly empty?: ReactNode;
}

const countText = (value: number): string => value.toLocaleString();

/** Load the library when the first plot is shown. */
const PlotCanvas = lazyComponent(async () => (await import('./plot-canvas.tsx')).PlotCanvas);

/** A chart of values over time, and a table with the same values, for example for screen readers. */
export function Plot({
  title,
  times,
  series,
  isCount = false,
  isDuration = false,
  format = isCount ? countText : String,
  formatTime,
  empty,
}: Props) {
  const heading = useId();
  const [isRead, setRead] = useState(false);
  // If a series has the name of the plot, the legend omits it.
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
            <PlotCanvas
              fallback={<Loading />}
              times={times}
              series={series}
              kind={isCount ? 'counts' : isDuration ? 'durations' : 'any'}
              format={format}
              formatTime={formatTime}
            />
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
