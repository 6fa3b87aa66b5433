import { ClientError, type FieldError } from '@telecine/client';
import { createContext, type ReactNode, useContext } from 'react';
import styles from './field.module.css';
import { isAtControl } from './field-place.ts';

const Context = createContext<unknown>(null);

/** Gives the controls of a form the errors of its last try. */
export function FieldErrorsProvider({ error, children }: { readonly error: unknown; readonly children: ReactNode }) {
  return <Context value={error}>{children}</Context>;
}

/** What the service says about a control of the form, by its name: `limits.jobs` is the field `/limits/jobs`. */
export function useFieldErrors(name: string | undefined): readonly FieldError[] {
  const error = useContext(Context);
  if (name === undefined || !(error instanceof ClientError)) return [];
  return error.errors.filter(({ field }) => isAtControl(field, name));
}

/** Errors below their control. `id` is what the control is described by. */
export function FieldErrors({ id, errors }: { readonly id: string; readonly errors: readonly FieldError[] }) {
  if (errors.length === 0) return null;
  return (
    <p id={id} className={styles.error}>
      {errors.map(({ message, fix }) => [message, fix].filter(Boolean).join(' ')).join(' ')}
    </p>
  );
}
