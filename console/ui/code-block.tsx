import type { ComponentProps } from 'react';
import styles from './code-block.module.css';

/** A block of code. It scrolls, so it can be focused with the keyboard. */
export function CodeBlock({ label, ...props }: Omit<ComponentProps<'pre'>, 'className'> & { readonly label: string }) {
  return (
    <div className={styles.box}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <pre {...props} role="group" aria-label={label} tabIndex={0} className={styles.code} />
    </div>
  );
}
