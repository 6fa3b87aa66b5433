import { ClientError, type FieldError } from '@telecine/client';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { Button } from './button.tsx';
import styles from './field.module.css';
import { isAtControl, rightValue } from './field-place.ts';

interface LastTry {
  readonly error: unknown;
  /** The names of the controls that were changed since. */
  readonly changed: ReadonlySet<string>;
}

const Context = createContext<LastTry>({ error: null, changed: new Set() });

/** Gives the controls of a form the errors of its last try. What was changed since is not wrong any more, as far as the page knows. */
export function FieldErrorsProvider({ error, changed, children }: LastTry & { readonly children: ReactNode }) {
  const lastTry = useMemo(() => ({ error, changed }), [error, changed]);
  return <Context value={lastTry}>{children}</Context>;
}

/** What the service says about a control of the form, by its name: `limits.jobs` is the field `/limits/jobs`. */
export function useFieldErrors(name: string | undefined): readonly FieldError[] {
  const { error, changed } = useContext(Context);
  if (name === undefined || !(error instanceof ClientError)) return [];
  return error.errors.filter(
    ({ field }) => isAtControl(field, name) && ![...changed].some((one) => isAtControl(field, one)),
  );
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
                  if (!(control instanceof HTMLInputElement)) return;
                  control.value = right;
                  control.focus();
                  control.dispatchEvent(new Event('input', { bubbles: true }));
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
