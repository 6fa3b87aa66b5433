import { Link, Navigate, Outlet, useLocation } from '@tanstack/react-router';
import { useSession } from '../session/use-session.ts';
import styles from './operate-layout.module.css';
import { OPERATE_PAGES, operatePagesOf } from './operate-pages.ts';

/** The frame of the pages for operators, with those that this session may see. */
export function OperateLayout() {
  const { data: session } = useSession();
  const { pathname } = useLocation();
  if (session === null || session === undefined) return null;
  const pages = operatePagesOf(session);
  const [first] = pages;
  const isHidden = OPERATE_PAGES.some(({ to }) => pathname.startsWith(to) && !pages.some((page) => page.to === to));
  if (first === undefined || isHidden)
    return (
      <p>
        The client <code>{session.clientId}</code> may not see this page: it does not have the scope that it needs.
      </p>
    );
  if (pathname.replace(/\/$/, '') === '/operate') return <Navigate to={first.to} replace />;
  return (
    <div className={styles.layout}>
      <nav aria-label="Pages for operators" className={styles.nav}>
        {pages.map(({ to, name }) => (
          <Link key={to} to={to} activeProps={{ 'aria-current': 'page' }}>
            {name}
          </Link>
        ))}
      </nav>
      <div className={styles.page}>
        <Outlet />
      </div>
    </div>
  );
}
