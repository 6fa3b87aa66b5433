import { Link } from '@tanstack/react-router';
import type { Session } from '@telecine/client';
import { type ReactNode, useState } from 'react';
import { useConnection } from '../jobs/live-jobs-connection.tsx';
import { operatePagesOf } from '../operate/operate-pages.ts';
import { mayDo } from '../session/may-do.ts';
import { useSignOut } from '../session/use-session.ts';
import { Button } from '../ui/button.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { UploadState } from '../uploads/upload-state.tsx';
import styles from './shell.module.css';
import { applyTheme, chosenTheme, THEMES, type Theme } from './theme.ts';

/** The frame of every page: the navigation, the signed-in client, and a note if the page is not live. */
export function Shell({ session, children }: { readonly session: Session; readonly children: ReactNode }) {
  const signOut = useSignOut();
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        Skip to the content
      </a>
      <header className={styles.header}>
        <Link to="/" className={styles.brand}>
          <img src="/icon.svg" alt="" width="24" height="24" />
          <span className={styles.name}>Telecine</span>
        </Link>
        <nav aria-label="Pages" className={styles.nav}>
          <Link to="/" activeOptions={{ exact: true }} activeProps={{ 'aria-current': 'page' }}>
            Workbench
          </Link>
          <Link to="/jobs" activeProps={{ 'aria-current': 'page' }}>
            Jobs
          </Link>
          {mayDo(session, 'files:read') && (
            <Link to="/files" activeProps={{ 'aria-current': 'page' }}>
              Files
            </Link>
          )}
          {operatePagesOf(session).length > 0 && (
            <Link to="/operate" activeProps={{ 'aria-current': 'page' }}>
              Operate
            </Link>
          )}
          <a href="/manual/">Manual</a>
          <a href="/docs">API</a>
        </nav>
        <div className={styles.end}>
          <UploadState />
          <ConnectionState />
          <ThemeChoice />
          <span className={styles.client} title={`Signed in until ${new Date(session.expiresAt).toLocaleString()}`}>
            <span className="visually-hidden">Signed in as </span>
            {session.clientId}
          </span>
          <Button
            variant="quiet"
            className={styles.signOut}
            disabled={signOut.isPending}
            onClick={() => signOut.mutate()}
          >
            Sign out
          </Button>
          {signOut.error !== null && <ProblemNotice error={signOut.error} />}
        </div>
      </header>
      <main id="content" className={styles.content} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

/** Tells users when the page is not live. Shows nothing while it is live, because users expect this. */
function ConnectionState() {
  const connection = useConnection();
  return (
    <span role="status" className={styles.connection}>
      {connection === 'lost' && 'Not connected. Trying again…'}
      {connection === 'denied' && 'This client may not read jobs.'}
    </span>
  );
}

const THEME_NAMES: Readonly<Record<Theme, string>> = { system: '◐ System', light: '○ Light', dark: '● Dark' };

function ThemeChoice() {
  const [theme, setTheme] = useState(chosenTheme);
  return (
    <label>
      <span className="visually-hidden">Colours</span>
      <select
        className={styles.theme}
        value={theme}
        onChange={({ currentTarget }) => {
          const chosen = THEMES.find((one) => one === currentTarget.value) ?? 'system';
          applyTheme(chosen);
          setTheme(chosen);
        }}
      >
        {THEMES.map((each) => (
          <option key={each} value={each}>
            {THEME_NAMES[each]}
          </option>
        ))}
      </select>
    </label>
  );
}
