import { ClientError } from '@telecine/client';
import { type ComponentProps, useId } from 'react';
import styles from './field.module.css';

/** A labelled text field. `error`: why the form was rejected; what it says about this field is shown beside it. */
export function Field({
  label,
  error,
  ...props
}: ComponentProps<'input'> & { readonly label: string; readonly error?: unknown }) {
  const id = useId();
  const pointer = `/${props.name}`;
  const errors = error instanceof ClientError ? error.errors.filter(({ field }) => field === pointer) : [];
  const isWrong = errors.length > 0;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        {...props}
        id={id}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? `${id}-error` : undefined}
      />
      {isWrong && (
        <p id={`${id}-error`} className={styles.error}>
          {errors.map(({ message, fix }) => [message, fix].filter(Boolean).join(' ')).join(' ')}
        </p>
      )}
    </div>
  );
}
