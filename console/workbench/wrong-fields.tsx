import type { FieldError } from '@telecine/client';
import { Button } from '../ui/button.tsx';
import { nameOfSegment } from './apply-patch.ts';
import { wrongOf } from './wrong-errors.ts';
import styles from './wrong-fields.module.css';

/** Buttons that lead to the fields with errors, which can be far below in the form. Not in a narrow window, which has one column. */
export function WrongFields({ errors }: { readonly errors: readonly FieldError[] }) {
  if (wrongOf(errors).length < 2) return null;
  return (
    <span role="group" aria-label="Fields with errors" className={styles.fields}>
      <span>Go to</span>
      {wrongOf(errors).map(({ field, code }) => (
        <Button
          key={`${field} ${code}`}
          aria-label={`Show the error of ${fieldName(field)}`}
          onClick={() => show(field)}
        >
          {fieldName(field)}
        </Button>
      ))}
    </span>
  );
}

const NAMES: Readonly<Record<string, string>> = {
  input: 'the source',
  inputs: 'a source',
  outputs: 'an output',
  preset: 'the recipe',
};

/** The name of a field for a person: `crf` of `/parameters/crf`, also of `/parameters/vf/0`. */
function fieldName(field: string): string {
  const last = field.split('/').findLast((segment) => segment !== '' && !/^\d+$/.test(segment)) ?? '';
  return NAMES[last] ?? nameOfSegment(last);
}

/** Scrolls to an error and focuses it. */
function show(field: string): void {
  const found = [...document.querySelectorAll<HTMLElement>('[data-kind="error"]')].find(
    (one) => one.dataset['field'] === field,
  );
  found?.scrollIntoView({ block: 'center' });
  found?.focus({ preventScroll: true });
}
