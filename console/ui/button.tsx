import type { ComponentProps } from 'react';
import styles from './button.module.css';

type Variant = 'plain' | 'primary' | 'danger' | 'destructive' | 'quiet';

const classOf = (variant: Variant, className: string | undefined): string =>
  [styles['button'], styles[variant], className].filter(Boolean).join(' ');

/** The class of a link of the router that looks like a button. */
export const buttonClass = (variant: Variant): string => classOf(variant, undefined);

/** A button. `primary`: the main action of the page. `destructive`: that of a dialog, if it deletes or ends something. */
export function Button({
  variant = 'plain',
  className,
  type = 'button',
  ...props
}: ComponentProps<'button'> & { readonly variant?: Variant }) {
  return <button {...props} type={type} data-variant={variant} className={classOf(variant, className)} />;
}

/** A link that looks like a button. */
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
