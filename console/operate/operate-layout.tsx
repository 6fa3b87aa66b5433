import { Link, Navigate, Outlet, useLocation } from '@tanstack/react-router';
import ChartNoAxesColumn from 'lucide-react/icons/chart-no-axes-column';
import HeartPulse from 'lucide-react/icons/heart-pulse';
import Link2 from 'lucide-react/icons/link-2';
import ListOrdered from 'lucide-react/icons/list-ordered';
import Lock from 'lucide-react/icons/lock';
import ScrollText from 'lucide-react/icons/scroll-text';
import Server from 'lucide-react/icons/server';
import Users from 'lucide-react/icons/users';
import Webhook from 'lucide-react/icons/webhook';
import type { LucideIcon } from 'lucide-react/types';
import { useEffect, useRef } from 'react';
import { mayDo } from '../session/may-do.ts';
import { useSession, useSignOut } from '../session/use-session.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useMedia } from '../ui/use-media.ts';
import styles from './operate-layout.module.css';
import { OPERATE_PAGES, operatePagesOf } from './operate-pages.ts';
import { LowSpace } from './usage/disk-notice.tsx';

const ICONS: Readonly<Record<(typeof OPERATE_PAGES)[number]['to'], LucideIcon>> = {
  '/operate/queue': ListOrdered,
  '/operate/workers': Server,
  '/operate/clients': Users,
  '/operate/webhooks': Webhook,
  '/operate/shares': Link2,
  '/operate/usage': ChartNoAxesColumn,
  '/operate/audit': ScrollText,
  '/operate/health': HeartPulse,
};

/** Replaces a page for which the client lacks the scope. */
function NoScope({
  clientId,
  page: { name, scope },
}: {
  readonly clientId: string;
  readonly page: (typeof OPERATE_PAGES)[number];
}) {
  const signOut = useSignOut();
  return (
    <>
      <PageHeading>{name}</PageHeading>
      <Empty icon={Lock}>
        <p>
          <strong>{clientId} may not see this page</strong>
        </p>
        <p>It needs the scope “{scope}”. An administrator can add it. Then sign in again.</p>
        <div className={styles.ways}>
          <Link to="/jobs" className={buttonClass('plain')}>
            Show the jobs
          </Link>
          <Button disabled={signOut.isPending} onClick={() => signOut.mutate()}>
            Sign out
          </Button>
        </div>
        {signOut.error !== null && <ProblemNotice error={signOut.error} />}
      </Empty>
    </>
  );
}

/** In a narrow window, the links are on one line, as in the style sheet. */
const ONE_LINE = '(width < 60rem)';

/** Scrolls the line of the links to the link of the shown page. */
function showCurrent(nav: HTMLElement | null): void {
  const current = nav?.querySelector<HTMLElement>('[aria-current="page"]');
  if (nav && current) nav.scrollLeft = current.offsetLeft - (nav.clientWidth - current.offsetWidth) / 2;
}

/** The frame of the pages for operators, with links to the pages that this session may see. */
export function OperateLayout() {
  const { data: session } = useSession();
  const { pathname } = useLocation();
  const nav = useRef<HTMLElement>(null);
  const isOneLine = useMedia(ONE_LINE);
  const hasPages = session !== null && session !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another link, and the links come with the session.
  useEffect(() => showCurrent(nav.current), [pathname, hasPages, isOneLine]);
  if (session === null || session === undefined) return null;
  const pages = operatePagesOf(session);
  const [first] = pages;
  const hidden = OPERATE_PAGES.find(({ to }) => pathname.startsWith(to) && !pages.some((page) => page.to === to));
  if (first === undefined) return <NoScope clientId={session.clientId} page={hidden ?? OPERATE_PAGES[0]} />;
  if (pathname.replace(/\/$/, '') === '/operate') return <Navigate to={first.to} replace />;
  return (
    <div className={styles.layout}>
      <nav ref={nav} aria-label="Pages for operators" className={styles.nav}>
        {pages.map(({ to, name }) => {
          const Icon = ICONS[to];
          return (
            <Link key={to} to={to} activeProps={{ 'aria-current': 'page' }}>
              <Icon />
              {name}
              {to === '/operate/usage' && mayDo(session, 'admin') && <LowSpace />}
            </Link>
          );
        })}
      </nav>
      <div className={styles.page}>
        {hidden === undefined ? <Outlet /> : <NoScope clientId={session.clientId} page={hidden} />}
      </div>
    </div>
  );
}
