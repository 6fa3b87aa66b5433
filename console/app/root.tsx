import { Outlet } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { JobWatch } from '../jobs/job-watch.tsx';
import { LiveJobsProvider } from '../jobs/live-jobs-connection.tsx';
import { SignInPage } from '../session/sign-in-page.tsx';
import { beginAnew, useSession } from '../session/use-session.ts';
import { Loading } from '../ui/loading.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { UploadsProvider } from '../uploads/uploads-provider.tsx';
import styles from './root.module.css';
import { Shell } from './shell.tsx';

/** Shows the pages to a signed-in client, and the sign-in page to others. */
export function Root() {
  const { data: session, error, isPending, refetch } = useSession();
  const isOther = useIsOther(session?.clientId);
  if (isPending || isOther)
    return (
      <div className={styles.loading}>
        <Loading />
      </div>
    );
  if (error !== null)
    return (
      <main className={styles.loading}>
        <ProblemNotice error={error} onRetry={() => void refetch()} />
      </main>
    );
  if (session === null) return <SignInPage />;
  return (
    <LiveJobsProvider>
      <JobWatch />
      <UploadsProvider key={session.clientId} clientId={session.clientId}>
        <Shell session={session}>
          <Outlet />
        </Shell>
      </UploadsProvider>
    </LiveJobsProvider>
  );
}

/**
 * Whether the session belongs to another client than the first session of this page, because another tab has signed in. If so, reloads the
 * page.
 */
function useIsOther(clientId: string | undefined): boolean {
  const [first, setFirst] = useState(clientId);
  if (first === undefined && clientId !== undefined) setFirst(clientId);
  const isOther = first !== undefined && clientId !== undefined && clientId !== first;
  useEffect(() => {
    if (isOther) beginAnew();
  }, [isOther]);
  return isOther;
}
