import { useQueryClient } from '@tanstack/react-query';
import type { Share } from '@telecine/client';
import { type RefObject, useState } from 'react';
import { client } from '../app/client.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import styles from './share.module.css';
import { markOf } from './share-text.ts';
import { forgetUrl, urlOf } from './share-urls.ts';
import { SHARES } from './shares-query.ts';

/** What can be done with a link that works. `name`: what it leads to. Its note or its age tells it from others to the same. `focusAfter`: gets the focus after the link is revoked. */
export function ShareActions({
  share,
  name: target,
  focusAfter,
}: {
  readonly share: Share;
  readonly name: string;
  readonly focusAfter?: RefObject<HTMLElement | null>;
}) {
  const queries = useQueryClient();
  const { data: session } = useSession();
  const [isShown, setShown] = useState(false);
  if (session === undefined || session === null) return null;
  const { shareId } = share;
  const name = `${target} (${markOf(share)})`;
  const url = urlOf(session.clientId, shareId);
  return (
    <>
      {url !== undefined && <CopyButton text={url} name={`Copy link to ${name}`} onBlocked={() => setShown(true)} />}
      {mayDo(session, 'files:write') && (
        <ConfirmButton
          label="Revoke"
          name={`Revoke the link to ${name}`}
          title={`Revoke the link to ${name}?`}
          action={() => client.revokeShare(shareId)}
          onDone={() => {
            forgetUrl(session.clientId, shareId);
            void queries.invalidateQueries({ queryKey: SHARES });
          }}
          {...(focusAfter !== undefined && { focusAfter })}
        >
          <p>
            The link stops working at once, for everyone who has it. This cannot be undone: to share again, create a new
            link. The files stay.
          </p>
        </ConfirmButton>
      )}
      {isShown && url !== undefined && (
        <div className={styles.address}>
          <CodeBlock label="Address of the link">{url}</CodeBlock>
        </div>
      )}
    </>
  );
}
