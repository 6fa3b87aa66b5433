import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { client } from '../app/client.ts';
import { useSession } from '../session/use-session.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Field } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Moment } from '../ui/moment.tsx';
import styles from './share.module.css';
import { isWorking } from './share-text.ts';
import { rememberUrl, urlOf } from './share-urls.ts';
import { SharedLinks } from './shared-links.tsx';
import { linksQuery, SHARES, type SharedThing } from './shares-query.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

/** How long a link can work, in seconds. */
const LIFETIMES = [
  { seconds: HOUR, name: '1 hour' },
  { seconds: DAY, name: '1 day' },
  { seconds: 7 * DAY, name: '7 days' },
  { seconds: 30 * DAY, name: '30 days' },
] as const;

/**
 * Creates a link to a file, or to the outputs of a job, that anyone can open, and lists those that exist. `name`: what is shared, for
 * people.
 */
export function ShareDialog({
  what,
  name,
  onClose,
}: {
  readonly what: SharedThing;
  readonly name: string;
  readonly onClose: () => void;
}) {
  const id = useId();
  const queries = useQueryClient();
  const { data: session } = useSession();
  const share = useMutation({
    mutationFn: (form: FormData) => {
      const note = String(form.get('note') ?? '').trim();
      return client.share({ ...what, seconds: Number(form.get('seconds')), ...(note !== '' && { note }) });
    },
    onSuccess: ({ shareId, url }) => {
      if (session) rememberUrl(session.clientId, shareId, url);
      void queries.invalidateQueries({ queryKey: SHARES });
    },
  });
  // It may be revoked in the list below.
  const { data: links } = useQuery(linksQuery(what));
  const hasEnded = links?.shares.some((link) => link.shareId === share.data?.shareId && !isWorking(link)) === true;
  const made = hasEnded ? undefined : share.data;
  const isRemembered = made !== undefined && session && urlOf(session.clientId, made.shareId) !== undefined;
  return (
    <FormDialog
      title={`Share ${name}`}
      action={made === undefined ? 'Create link' : 'Create another'}
      isPending={share.isPending}
      isDone={made !== undefined}
      error={share.error}
      onSend={(form) => (made === undefined ? share.mutate(form) : share.reset())}
      onClose={onClose}
    >
      <p className={styles.soft}>
        Anyone with the link can look at <strong>{name}</strong> and download it, without an account, and nothing else.
      </p>
      {made === undefined ? (
        <>
          <div className={styles.field}>
            <label htmlFor={id}>The link works for</label>
            <select id={id} name="seconds" defaultValue={String(7 * DAY)}>
              {LIFETIMES.map(({ seconds, name: text }) => (
                <option key={seconds} value={seconds}>
                  {text}
                </option>
              ))}
            </select>
          </div>
          <Field
            label="Note (for yourself)"
            name="note"
            autoComplete="off"
            maxLength={200}
            placeholder="Who gets the link"
          />
        </>
      ) : (
        <div className={styles.made} role="status">
          <p className={styles.soft}>
            The link works until <Moment at={made.expiresAt} isExact />.{' '}
            {isRemembered
              ? 'Only this tab can copy it again, because the service does not keep its address.'
              : 'Copy it now: the service does not keep its address.'}
          </p>
          <CodeBlock label="Shared link">{made.url}</CodeBlock>
          <CopyButton key={made.url} text={made.url} label="Copy the link" isNext />
        </div>
      )}
      <SharedLinks what={what} isInDialog />
      <p className={styles.soft}>
        <Link to="/operate/shares">All links</Link> can be revoked at any time. A revoked link stops working at once and
        cannot be restored.
      </p>
    </FormDialog>
  );
}
