import { type ComponentProps, useId } from 'react';
import styles from './field.module.css';

/** A labelled text field. */
export function Field({ label, ...props }: ComponentProps<'input'> & { readonly label: string }) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input {...props} id={id} />
    </div>
  );
}
