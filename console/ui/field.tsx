import { type ComponentProps, useId } from 'react';
import styles from './field.module.css';
import { FieldErrors, useFieldErrors } from './field-errors.tsx';

/** A labelled text field. In a form dialog, it shows its errors below. */
export function Field({ label, ...props }: ComponentProps<'input'> & { readonly label: string }) {
  const id = useId();
  const errors = useFieldErrors(props.name);
  const isWrong = errors.length > 0;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        {...props}
        id={id}
        aria-invalid={isWrong || props['aria-invalid']}
        aria-describedby={isWrong ? `${id}-error` : undefined}
      />
      <FieldErrors id={`${id}-error`} name={props.name} errors={errors} />
    </div>
  );
}
