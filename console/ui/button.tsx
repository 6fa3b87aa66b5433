import type { ComponentProps } from 'react';
import styles from './button.module.css';

/** A button. `primary` is for the one action that a page is for. */
export function Button({
  variant = 'plain',
  className,
  type = 'button',
  ...props
}: ComponentProps<'button'> & { readonly variant?: 'plain' | 'primary' | 'danger' | 'quiet' }) {
  return (
    <button
      {...props}
      type={type}
      className={[styles['button'], styles[variant], className].filter(Boolean).join(' ')}
    />
  );
}
