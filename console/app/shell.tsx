import { Link, useLocation } from '@tanstack/react-router';
import type { Session } from '@telecine/client';
import Clapperboard from 'lucide-react/icons/clapperboard';
import Folder from 'lucide-react/icons/folder';
import FolderSync from 'lucide-react/icons/folder-sync';
import Gauge from 'lucide-react/icons/gauge';
import ListVideo from 'lucide-react/icons/list-video';
import Search from 'lucide-react/icons/search';
import { type ReactNode, useState } from 'react';
import { useConnection } from '../jobs/live-jobs-connection.tsx';
import { operatePagesOf } from '../operate/operate-pages.ts';
import { mayDo } from '../session/may-do.ts';
import { UploadState } from '../uploads/upload-state.tsx';
import { AccountMenu } from './account-menu.tsx';
import { keyText } from './keys.ts';
import { lazyComponent } from './lazy-component.tsx';
import styles from './shell.module.css';
import { useKeys } from './use-keys.ts';

const Palette = lazyComponent(async () => (await import('./palette.tsx')).Palette);
const DiskNotice = lazyComponent(async () => (await import('../operate/usage/disk-notice.tsx')).DiskNotice);
const KeysDialog = lazyComponent(async () => (await import('./keys-dialog.tsx')).KeysDialog);

/** The frame of every page: the navigation, the search over everything, the account, and a note if the page is not live. */
export function Shell({ session, children }: { readonly session: Session; readonly children: ReactNode }) {
  const [open, setOpen] = useState<'palette' | 'keys'>();
  useKeys({ onPalette: () => setOpen('palette'), onKeys: () => setOpen('keys') });
  const close = (): void => setOpen(undefined);
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        Skip to the content
      </a>
      <header className={styles.header}>
        <Link to="/" className={styles.brand}>
          <img src="/icon.svg" alt="" width="26" height="26" />
          <span>Telecine</span>
        </Link>
        <Pages session={session} />
        <div className={styles.end}>
          {mayDo(session, 'admin') && <DiskNotice />}
          <UploadState />
          <ConnectionState />
          <button
            type="button"
            className={styles.search}
            aria-keyshortcuts="Control+K"
            onClick={() => setOpen('palette')}
          >
            <Search />
            <span className={styles.searchText}>
              Search<span className="visually-hidden"> everything</span>
            </span>
            <span aria-hidden="true" className={styles.key}>
              {keyText('palette')}
            </span>
          </button>
          <AccountMenu session={session} onKeys={() => setOpen('keys')} />
        </div>
      </header>
      <main id="content" className={styles.content} tabIndex={-1}>
        {children}
      </main>
      {open === 'palette' && (
        <Palette
          session={session}
          onClose={close}
          onKeys={() => {
            setOpen('keys');
          }}
        />
      )}
      {open === 'keys' && <KeysDialog onClose={close} />}
    </div>
  );
}

/** The pages. On a phone, they are at the bottom of the window. */
function Pages({ session }: { readonly session: Session }) {
  const isAtRecipes = useLocation({ select: ({ pathname }) => pathname.startsWith('/recipes') });
  return (
    <nav aria-label="Pages" className={styles.nav}>
      {/* Marked with any search, and on the pages of recipes, which have no entry of their own. */}
      <Link
        to="/"
        activeOptions={{ exact: true, includeSearch: false }}
        aria-current={isAtRecipes ? 'true' : undefined}
      >
        <Clapperboard />
        Workbench
      </Link>
      <Link to="/jobs">
        <ListVideo />
        Jobs
      </Link>
      {mayDo(session, 'files:read') && (
        <Link to="/files">
          <Folder />
          Files
        </Link>
      )}
      {mayDo(session, 'jobs:read') && (
        <Link to="/watches">
          <FolderSync />
          Watches
        </Link>
      )}
      {operatePagesOf(session).length > 0 && (
        <Link to="/operate">
          <Gauge />
          Operate
        </Link>
      )}
    </nav>
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
