import { ClientError, type FieldError } from '@telecine/client';
import CircleAlert from 'lucide-react/icons/circle-alert';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { Button } from './button.tsx';
import styles from './field.module.css';
import { isAtControl, rightValue } from './field-place.ts';
import { fixText } from './fix-text.ts';
import { WithCode } from './with-code.tsx';

interface LastTry {
  readonly error: unknown;
  /** The names of controls that the user has changed after the last request. */
  readonly changed: ReadonlySet<string>;
}

const Context = createContext<LastTry>({ error: null, changed: new Set() });

/** Provides the errors of the last request to the controls of a form. Errors of controls that the user has changed since are hidden. */
export function FieldErrorsProvider({ error, changed, children }: LastTry & { readonly children: ReactNode }) {
  const lastTry = useMemo(() => ({ error, changed }), [error, changed]);
  return <Context value={lastTry}>{children}</Context>;
}

/** The errors of a control. Its name corresponds to the field of the error: `limits.jobs` to `/limits/jobs`. */
export function useFieldErrors(name: string | undefined): readonly FieldError[] {
  const { error, changed } = useContext(Context);
  if (name === undefined || !(error instanceof ClientError)) return [];
  return error.errors.filter(
    ({ field }) => isAtControl(field, name) && ![...changed].some((one) => isAtControl(field, one)),
  );
}

/**
 * The errors below a control. If the fix is a single value, a button sets it. `id`: the id to which the `aria-describedby` of the control
 * refers.
 */
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
            <p>
              <CircleAlert />
              <span>
                <WithCode text={message} /> {right === undefined && fix && <WithCode text={fixText(fix)} />}
              </span>
            </p>
            {right !== undefined && (
              <Button
                onClick={() => {
                  // Not by the form: a field can be outside of one.
                  const control = document.querySelector(`[aria-describedby~="${CSS.escape(id)}"]`);
                  if (control instanceof HTMLInputElement) enter(control, right);
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

/** Enters a value as a user does. React replaces the setter of a controlled field and then ignores the event, so the setter of the browser is called. */
function enter(control: HTMLInputElement, value: string): void {
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {};
  set?.call(control, value);
  control.focus();
  control.dispatchEvent(new Event('input', { bubbles: true }));
}
