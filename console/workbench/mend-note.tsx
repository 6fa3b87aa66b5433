import { Link } from '@tanstack/react-router';
import { Button } from '../ui/button.tsx';
import { patchText } from './apply-patch.ts';
import type { MendedJob } from './draft.ts';
import styles from './mend-note.module.css';
import { useDraft } from './use-draft.tsx';

/** Why the job failed whose request the user is editing, and how to fix it. It stays until the request is started. */
export function MendNote({ failed: { jobId, message, fix, apply } }: { readonly failed: MendedJob }) {
  const { change } = useDraft();
  return (
    <aside className={styles.note} aria-label="The failed job">
      <p>
        <Link to="/jobs/$jobId" params={{ jobId }}>
          The job
        </Link>{' '}
        failed: {message}
      </p>
      {fix !== undefined && (
        <p>
          <strong>To fix it:</strong> {fix}
        </p>
      )}
      <div className={styles.actions}>
        {apply !== undefined && (
          <Button onClick={() => change({ do: 'apply-patch', patch: apply })}>{patchText(apply)}</Button>
        )}
        <Button variant="quiet" onClick={() => change({ do: 'forget-failure' })}>
          Close this note
        </Button>
      </div>
    </aside>
  );
}
