import type { DryRun, FieldError } from '@telecine/client';
import { lazyComponent } from '../app/lazy-component.tsx';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { Button } from '../ui/button.tsx';
import { fixText } from '../ui/fix-text.ts';
import { WithCode } from '../ui/with-code.tsx';
import { type Patch, patchText } from './apply-patch.ts';
import { otherClientOf } from './draft.ts';
import { SOURCE_FAILURES } from './field-messages.ts';
import styles from './field-notes.module.css';
import { messageText } from './message-text.ts';
import { useDraft } from './use-draft.tsx';
import { useMessages } from './use-messages.tsx';

const SimilarFiles = lazyComponent(async () => (await import('./similar-files.tsx')).SimilarFiles);

export type Warning = DryRun['warnings'][number];

/** Warnings whose fixes are buttons elsewhere on the page. */
const OFFERED: ReadonlySet<Warning['code']> = new Set(['OUTPUT_EXISTS', 'INPUT_NOT_READ']);

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
        // The button that shows the first error focuses it.
        <li key={`${error.field} ${error.code}`} data-kind="error" data-field={error.field} tabIndex={-1}>
          <Note {...error} message={messageText(error)} />
        </li>
      ))}
      {warnings.map((warning) => (
        <li
          key={`${warning.code} ${warning.message}`}
          data-kind={SOURCE_FAILURES.has(warning.code) ? 'error' : 'warning'}
          tabIndex={-1}
        >
          <Note {...warning} fix={OFFERED.has(warning.code) ? undefined : warning.fix} />
        </li>
      ))}
    </ul>
  );
}

function Note({
  field,
  message,
  fix,
  apply,
  near = [],
}: {
  readonly field?: string | undefined;
  readonly message: string;
  readonly fix?: string | undefined;
  readonly apply?: Patch | undefined;
  readonly near?: readonly string[] | undefined;
}) {
  const { draft, change } = useDraft();
  const { data: session } = useSession();
  if (field !== undefined && near.length > 0)
    return (
      <div className={styles.note}>
        <p>
          <WithCode text={message} />
        </p>
        <SimilarFiles
          near={near}
          mayRead={otherClientOf(draft) === undefined && mayDo(session, 'files:read')}
          onChoose={(value) => change({ do: 'apply-patch', patch: [{ op: 'replace', path: field, value }] })}
        />
      </div>
    );
  return (
    <div className={styles.note}>
      <p>
        <WithCode text={message} /> {/* A button applies the fix. Without one, the text says what to do. */}
        {fix !== undefined && apply === undefined && !message.includes(fix) && (
          <span className={styles.fix}>
            <WithCode text={fixText(fix)} />
          </span>
        )}
      </p>
      {apply !== undefined && (
        <Button className={styles.apply} onClick={() => change({ do: 'apply-patch', patch: apply })}>
          {patchText(apply)}
        </Button>
      )}
    </div>
  );
}
