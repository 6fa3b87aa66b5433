import { type ComponentProps, useId } from 'react';
import styles from './field.module.css';
import { FieldErrors, useFieldErrors } from './field-errors.tsx';

/** A labelled field for a text of several lines, with its errors below. */
export function TextAreaField({ label, ...props }: ComponentProps<'textarea'> & { readonly label: string }) {
  const id = useId();
  const errors = useFieldErrors(props.name);
  const isWrong = errors.length > 0;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <textarea
        {...props}
        id={id}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? `${id}-error` : undefined}
      />
      <FieldErrors id={`${id}-error`} name={props.name} errors={errors} />
    </div>
  );
}
