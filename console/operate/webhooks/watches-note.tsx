import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { useSession } from '../../session/use-session.ts';
import { titleOfWatch } from '../../watches/watch-status.tsx';
import { watchesQuery } from '../../watches/watches-query.ts';
import styles from '../operate-page.module.css';

/** The most watches that are named. */
const NAMED = 5;

/** Leads to the watches of the signed-in client, whose jobs webhooks report. Renders nothing without watches. `isInline`: it ends another line. */
export function WatchesNote({ isInline = false }: { readonly isInline?: boolean }) {
  const { data: session } = useSession();
  const { data } = useQuery(watchesQuery);
  const own = (data?.watches ?? []).filter(({ client }) => client === session?.clientId);
  if (own.length === 0) return null;
  const links = (
    <>
      the jobs of your {own.length === 1 ? 'watch' : 'watches'}{' '}
      {own.slice(0, NAMED).map((watch, index) => (
        <Fragment key={watch.watchId}>
          {index > 0 && ', '}
          <Link to="/watches/$watchId" params={{ watchId: watch.watchId }}>
            {titleOfWatch(watch)}
          </Link>
        </Fragment>
      ))}
      {own.length > NAMED && (
        <>
          {' '}
          and <Link to="/watches">{own.length - NAMED} more</Link>
        </>
      )}
    </>
  );
  return isInline ? <> · also {links}</> : <p className={styles.soft}>Webhooks also report {links}.</p>;
}
