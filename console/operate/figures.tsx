import type { ReactNode } from 'react';
import cells from '../ui/cells.module.css';
import styles from './figures.module.css';

export type Figure = readonly [name: string, value: ReactNode, part?: string | undefined];

/** A few important numbers with their names. `part`: what a bar below them shows, whose colour the name has. */
export function Figures({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <dl className={`${cells.cells} ${styles.figures} ${styles.strip}`}>
      {figures.map(([name, value, part]) => (
        <div key={name}>
          <dt data-part={part}>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
