import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Share } from '@telecine/client';
import { type RefObject, useRef, useState } from 'react';
import { nameOf } from '../files/file-list.ts';
import { useSession } from '../session/use-session.ts';
import { Button } from '../ui/button.tsx';
import { countText } from '../ui/format.ts';
import { LoadFailed } from '../ui/load-failed.tsx';
import { Moment } from '../ui/moment.tsx';
import { Until } from '../ui/until.tsx';
import styles from './share.module.css';
import { ShareActions } from './share-actions.tsx';
import { ShareEnd } from './share-end.tsx';
import { arrangeShares, downloadsText, isWorking } from './share-text.ts';
import { urlOf } from './share-urls.ts';
import { linksQuery, type SharedThing } from './shares-query.ts';

/** The links to a file, or to the outputs of a job. Shows nothing if there are none. `isInDialog`: the dialog leads to all links itself. */
export function SharedLinks({
  what,
  isInDialog = false,
}: {
  readonly what: SharedThing;
  readonly isInDialog?: boolean;
}) {
  const { data, error, refetch } = useQuery(linksQuery(what));
  const { data: session } = useSession();
  const [showsAll, setShowsAll] = useState(false);
  const section = useRef<HTMLElement>(null);
  if (data === undefined && error !== null)
    return <LoadFailed what="The list of links" error={error} onRetry={() => void refetch()} />;
  if (data === undefined || data.shares.length === 0) return null;
  const { shown, hidden } = arrangeShares(data.shares, showsAll);
  const isWithoutAddress = (share: Share): boolean =>
    isWorking(share) && session != null && urlOf(session.clientId, share.shareId) === undefined;
  return (
    <section ref={section} tabIndex={-1} aria-label="Links" className={styles.links}>
      <div className={styles.head}>
        <strong>Links</strong>
        {!isInDialog && <Link to="/operate/shares">All links</Link>}
      </div>
      <ul>
        {shown.map((share) => (
          <li key={share.shareId} data-ended={!isWorking(share)}>
            <LinkRow share={share} focusAfter={section} />
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <Button variant="quiet" onClick={() => setShowsAll(true)}>
          Show {countText(hidden, 'older link')}
        </Button>
      )}
      {shown.some(isWorking) && <p className={styles.soft}>A link opens nothing after its file is replaced.</p>}
      {shown.some(isWithoutAddress) && (
        <p className={styles.soft}>
          Only the tab that has created a link can copy it, because the service does not keep its address. To send it
          again, create a new link.
        </p>
      )}
      {data.nextCursor !== undefined && <p className={styles.soft}>Older links are only in “All links”.</p>}
    </section>
  );
}

function LinkRow({ share, focusAfter }: { readonly share: Share; readonly focusAfter: RefObject<HTMLElement | null> }) {
  const { path, client: owner, note, createdAt, expiresAt } = share;
  const name = path === undefined ? 'all outputs' : nameOf(path);
  return (
    <>
      <div className={styles.text}>
        <p>
          {path === undefined ? 'All outputs' : name}
          <span className={styles.soft}>
            {' '}
            ·{' '}
            {note ?? (
              <>
                created <Moment at={createdAt} />
              </>
            )}
          </span>
        </p>
        <p className={styles.soft}>
          {isWorking(share) ? (
            <>
              by {owner} · ends <Until at={expiresAt} />
            </>
          ) : (
            <ShareEnd share={share} />
          )}
          {' · '}
          {downloadsText(share)}
        </p>
      </div>
      {isWorking(share) && <ShareActions share={share} name={name} focusAfter={focusAfter} />}
    </>
  );
}
