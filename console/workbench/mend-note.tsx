import { Link } from '@tanstack/react-router';
import { Button } from '../ui/button.tsx';
import { patchText } from './apply-patch.ts';
import type { MendedJob } from './draft.ts';
import { DraftNote } from './draft-note.tsx';
import { useDraft } from './use-draft.tsx';

/** Why the job failed whose request the user is editing, and how to fix it. It stays until the request is started. */
export function MendNote({ failed: { jobId, message, fix, apply } }: { readonly failed: MendedJob }) {
  const { change } = useDraft();
  return (
    <DraftNote
      label="The failed job"
      tone="bad"
      actions={
        <>
          {apply !== undefined && (
            <Button onClick={() => change({ do: 'apply-patch', patch: apply })}>{patchText(apply)}</Button>
          )}
          <Button variant="quiet" onClick={() => change({ do: 'forget-failure' })}>
            Close this note
          </Button>
        </>
      }
    >
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
    </DraftNote>
  );
}
