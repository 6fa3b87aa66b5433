import { Outlet } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { JobWatch } from '../jobs/job-watch.tsx';
import { LiveJobsProvider } from '../jobs/live-jobs-connection.tsx';
// They read the address of the page before the router changes it.
import '../session/sign-in-code.ts';
import '../session/sign-in-error.ts';
import { beginAnew, useSession } from '../session/use-session.ts';
import { Loading } from '../ui/loading.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { UploadsProvider } from '../uploads/uploads-provider.tsx';
import { lazyComponent } from './lazy-component.tsx';
import styles from './root.module.css';
import { Shell } from './shell.tsx';

/** Most visitors are signed in, so it is not a part of the first page. */
const SignInPage = lazyComponent(async () => (await import('../session/sign-in-page.tsx')).SignInPage);

/** The page of a link needs no session. */
export const Root = () => (window.location.pathname.startsWith('/s/') ? <Outlet /> : <SignedIn />);

/** Shows the pages to a signed-in client, and the sign-in page to others. */
function SignedIn() {
  const { data: session, error, isPending, refetch } = useSession();
  const isOther = useIsOther(session?.clientId);
  const loading = (
    <div className={styles.loading}>
      <Loading />
    </div>
  );
  if (isPending || isOther) return loading;
  if (error !== null)
    return (
      <main className={styles.loading}>
        <ProblemNotice error={error} onRetry={() => void refetch()} />
      </main>
    );
  if (session === null) return <SignInPage fallback={loading} />;
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
