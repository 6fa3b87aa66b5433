import type { ComponentProps } from 'react';
import styles from './code-block.module.css';

/** Text of a program. It scrolls, so the keyboard can reach it. */
export function CodeBlock({ label, ...props }: Omit<ComponentProps<'pre'>, 'className'> & { readonly label: string }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
  return <pre {...props} role="group" aria-label={label} tabIndex={0} className={styles.code} />;
}
