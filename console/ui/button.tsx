import type { ComponentProps } from 'react';
import styles from './button.module.css';

type Variant = 'plain' | 'primary' | 'danger' | 'quiet';

const classOf = (variant: Variant, className: string | undefined): string =>
  [styles['button'], styles[variant], className].filter(Boolean).join(' ');

/** A button. `primary` is for the one action that a page is for. */
export function Button({
  variant = 'plain',
  className,
  type = 'button',
  ...props
}: ComponentProps<'button'> & { readonly variant?: Variant }) {
  return <button {...props} type={type} data-variant={variant} className={classOf(variant, className)} />;
}

/** A link to another page that looks like a button. */
export function LinkButton({
  variant = 'plain',
  className,
  children,
  ...props
}: ComponentProps<'a'> & { readonly variant?: Variant }) {
  return (
    <a {...props} className={classOf(variant, className)}>
      {children}
    </a>
  );
}
