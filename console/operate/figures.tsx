import type { ReactNode } from 'react';
import styles from './operate-page.module.css';

/** A few important numbers with their names. */
export function Figures({ figures }: { readonly figures: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={styles.figures}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
