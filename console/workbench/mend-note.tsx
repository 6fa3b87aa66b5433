import { Link } from '@tanstack/react-router';
import { Button } from '../ui/button.tsx';
import { WithCode } from '../ui/with-code.tsx';
import { patchText } from './apply-patch.ts';
import type { LeftOut, MendedJob, RetriedJob } from './draft.ts';
import { DraftNote } from './draft-note.tsx';
import { leftOutText } from './hidden-parts.ts';
import { useDraft } from './use-draft.tsx';

/**
 * For which other client the request runs, and why the job failed whose request the user is editing, with its fix. The failure stays until the
 * request is started, and the client as long as the request runs for it.
 */
export function MendNote({
  failed,
  retries,
  isGone,
  isChanged,
}: {
  readonly failed: MendedJob | undefined;
  readonly retries: RetriedJob | undefined;
  /** Whether the job of `retries` is deleted. */
  readonly isGone: boolean;
  /** Whether the user has changed the request of the failed job. */
  readonly isChanged: boolean;
}) {
  const { change } = useDraft();
  const { client } = retries ?? {};
  const jobId = failed?.jobId ?? retries?.jobId ?? '';
  const { message, fix, apply } = failed ?? {};
  return (
    <DraftNote
      label={client === undefined ? 'The failed job' : `For the client ${client}`}
      tone={message === undefined || isChanged ? undefined : 'bad'}
      actions={
        isGone && client !== undefined ? (
          <Button onClick={() => change({ do: 'start-again' })}>Close this request</Button>
        ) : (
          message !== undefined && (
            <>
              {apply !== undefined && (
                <Button onClick={() => change({ do: 'apply-patch', patch: apply })}>{patchText(apply)}</Button>
              )}
              {client === undefined && (
                <Button variant="quiet" onClick={() => change({ do: 'forget-failure' })}>
                  Close this note
                </Button>
              )}
            </>
          )
        )
      }
    >
      {client !== undefined && isGone && (
        <p>
          <strong>The job of the client {client} was deleted</strong>, so its request cannot run for {client} any more.
        </p>
      )}
      {client !== undefined && !isGone && (
        <p>
          <strong>For the client {client}:</strong> runs with the files and limits of {client}, in place of{' '}
          <JobOf jobId={jobId}>its job</JobOf>.
        </p>
      )}
      {message !== undefined && (
        <p>
          <JobOf jobId={jobId}>The job</JobOf> failed{isChanged && ' before your change'}: <WithCode text={message} />
        </p>
      )}
      {fix !== undefined && (
        <p>
          <strong>To fix it:</strong> <WithCode text={fix} />
        </p>
      )}
    </DraftNote>
  );
}

const JobOf = ({ jobId, children }: { readonly jobId: string; readonly children: string }) => (
  <Link to="/jobs/$jobId" params={{ jobId }}>
    {children}
  </Link>
);

/** Says what the new job lacks of the job from which its request comes. `isClosable`: the draft itself lacks it, not only its requests. */
export function LeftOutNote({
  parts,
  isClosable,
}: {
  readonly parts: readonly LeftOut[];
  readonly isClosable: boolean;
}) {
  const { change } = useDraft();
  return (
    <DraftNote
      label="Not copied from the job"
      actions={
        isClosable && (
          <Button variant="quiet" onClick={() => change({ do: 'forget-left-out' })}>
            Close this note
          </Button>
        )
      }
    >
      <p>
        <WithCode text={leftOutText(parts)} />
      </p>
    </DraftNote>
  );
}
