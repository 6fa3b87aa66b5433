import type { DryRun, FieldError } from '@telecine/client';
import { Button } from '../ui/button.tsx';
import { type Patch, patchText } from './apply-patch.ts';
import { SOURCE_FAILURES } from './field-messages.ts';
import styles from './field-notes.module.css';
import { useDraft } from './use-draft.tsx';
import { useMessages } from './use-messages.tsx';

export type Warning = DryRun['warnings'][number];

/** Warnings whose fixes are buttons elsewhere on the page. */
const OFFERED: ReadonlySet<Warning['code']> = new Set(['OUTPUT_EXISTS']);

/** The errors and warnings at a control, with their fixes. `control`: the key of the control. */
export function FieldNotes({ control }: { readonly control: string }) {
  return <Notes {...useMessages(control)} />;
}

export function Notes({
  errors,
  warnings,
}: {
  readonly errors: readonly FieldError[];
  readonly warnings: readonly Warning[];
}) {
  if (errors.length === 0 && warnings.length === 0) return null;
  return (
    <ul className={styles.notes}>
      {errors.map((error) => (
        <li key={`${error.field} ${error.code}`} data-kind="error">
          <Note {...error} />
        </li>
      ))}
      {warnings.map((warning) => (
        <li
          key={`${warning.code} ${warning.message}`}
          data-kind={SOURCE_FAILURES.has(warning.code) ? 'error' : 'warning'}
        >
          <Note {...warning} fix={OFFERED.has(warning.code) ? undefined : warning.fix} />
        </li>
      ))}
    </ul>
  );
}

function Note({
  message,
  fix,
  apply,
}: {
  readonly message: string;
  readonly fix?: string | undefined;
  readonly apply?: Patch | undefined;
}) {
  const { change } = useDraft();
  return (
    <div className={styles.note}>
      <p>
        {message} {fix !== undefined && !message.includes(fix) && <span className={styles.fix}>{fix}</span>}
      </p>
      {apply !== undefined && (
        <Button className={styles.apply} onClick={() => change({ do: 'apply-patch', patch: apply })}>
          {patchText(apply)}
        </Button>
      )}
    </div>
  );
}
