import { ClientError } from '@telecine/client';
import { Button } from './button.tsx';
import { isAtControl } from './field-place.ts';
import styles from './problem-notice.module.css';

interface Props {
  readonly error: unknown;
  /** The names of controls that show what is wrong with them themselves. */
  readonly controls?: readonly string[];
  /** Reads again what could not be read. */
  readonly onRetry?: () => void;
}

/** What went wrong with a call, in the words of the service: the problem, then each field with what to send instead. */
export function ProblemNotice({ error, controls = [], onRetry }: Props) {
  const problem = error instanceof ClientError ? error.problem : undefined;
  const message = error instanceof Error ? error.message : String(error);
  const others = problem?.errors?.filter(({ field }) => !controls.some((name) => isAtControl(field, name))) ?? [];
  // The detail repeats the only error, which says more than its field.
  const [only] = others.length === 1 && others[0]?.message === problem?.detail ? others : [];
  const count = problem?.errors?.length ?? 0;
  const text = count > 0 && others.length === 0 ? countText(count) : (problem?.detail ?? message);
  return (
    <div role="alert" className={styles.notice}>
      <p>
        {text} {only?.fix}
      </p>
      {only === undefined && others.length > 0 && (
        <ul>
          {others.map(({ field, code, message: text, fix }) => (
            <li key={`${field} ${code}`}>
              <code>{field}</code> {text} {fix}
            </li>
          ))}
        </ul>
      )}
      {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

const countText = (errors: number): string =>
  errors === 1 ? 'One field has an error.' : `${errors} fields have errors.`;
