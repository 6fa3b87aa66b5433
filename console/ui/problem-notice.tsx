import { ClientError } from '@telecine/client';
import CircleAlert from 'lucide-react/icons/circle-alert';
import { Button } from './button.tsx';
import { isAtControl } from './field-place.ts';
import { fixText } from './fix-text.ts';
import styles from './problem-notice.module.css';
import { WithCode } from './with-code.tsx';

interface Props {
  readonly error: unknown;
  /** The names of controls that show their own errors. */
  readonly controls?: readonly string[];
  /** Called when the user presses "Try again". */
  readonly onRetry?: () => void;
  /** Called when the user presses "Dismiss". */
  readonly onClose?: (() => void) | undefined;
}

/** Shows the error of a call: the detail of the problem, then each invalid field with its fix. */
export function ProblemNotice({ error, controls = [], onRetry, onClose }: Props) {
  const problem = error instanceof ClientError ? error.problem : undefined;
  const others = problem?.errors?.filter(({ field }) => !controls.some((name) => isAtControl(field, name))) ?? [];
  // If there is only one error, `detail` repeats its message, so omit the field.
  const [only] = others.length === 1 && others[0]?.message === problem?.detail ? others : [];
  const count = problem?.errors?.length ?? 0;
  const text = count > 0 && others.length === 0 ? countText(count) : problemText(error);
  return (
    <div role="alert" className={styles.notice}>
      <p>
        <CircleAlert />
        <span>
          <WithCode text={text} /> {only?.fix && <WithCode text={fixText(only.fix)} />}
        </span>
      </p>
      {only === undefined && others.length > 0 && (
        <ul>
          {others.map(({ field, code, message: text, fix }) => (
            <li key={`${field} ${code}`}>
              <code>{field}</code> <WithCode text={text} /> {fix && <WithCode text={fixText(fix)} />}
            </li>
          ))}
        </ul>
      )}
      {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
      {onClose !== undefined && <Button onClick={onClose}>Dismiss</Button>}
    </div>
  );
}

/** What is wrong, without the fields that it concerns. */
export const problemText = (error: unknown): string =>
  (error instanceof ClientError ? error.problem?.detail : undefined) ??
  (error instanceof Error ? error.message : String(error));

const countText = (errors: number): string =>
  errors === 1 ? 'One field has an error.' : `${errors} fields have errors.`;
