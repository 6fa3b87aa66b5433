import { ClientError, type FieldError } from '@telecine/client';
import { createContext, type ReactNode, useContext } from 'react';
import { Button } from './button.tsx';
import styles from './field.module.css';
import { isAtControl, rightValue } from './field-place.ts';

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

/** Errors below their control, each with a button that does what it says, where that is one value. `id` is what the control is described by. */
export function FieldErrors({
  id,
  name,
  errors,
}: {
  readonly id: string;
  readonly name: string | undefined;
  readonly errors: readonly FieldError[];
}) {
  if (errors.length === 0) return null;
  return (
    <ul id={id} className={styles.errors}>
      {errors.map((error) => {
        const { field, code, message, fix } = error;
        const right = name === undefined ? undefined : rightValue(error, name);
        return (
          <li key={`${field} ${code}`}>
            <span>
              {message} {fix}
            </span>
            {right !== undefined && (
              <Button
                onClick={({ currentTarget: { form } }) => {
                  const control = form?.elements.namedItem(name ?? '');
                  if (control instanceof HTMLInputElement) control.value = right;
                }}
              >
                Use {right}
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
