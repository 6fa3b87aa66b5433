import { ClientError } from '@telecine/client';
import styles from './problem-notice.module.css';

/** What went wrong with a call, in the words of the service: the problem, then each field with what to send instead. */
export function ProblemNotice({ error }: { readonly error: unknown }) {
  const problem = error instanceof ClientError ? error.problem : undefined;
  const message = error instanceof Error ? error.message : String(error);
  return (
    <div role="alert" className={styles.notice}>
      <p>{problem?.detail ?? message}</p>
      {problem?.errors !== undefined && (
        <ul>
          {problem.errors.map(({ field, code, message: text, fix }) => (
            <li key={`${field} ${code}`}>
              <code>{field}</code> {text} {fix}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
