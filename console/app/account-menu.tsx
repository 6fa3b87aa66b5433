import type { Session } from '@telecine/client';
import BookOpen from 'lucide-react/icons/book-open';
import Braces from 'lucide-react/icons/braces';
import CircleUserRound from 'lucide-react/icons/circle-user-round';
import Keyboard from 'lucide-react/icons/keyboard';
import LogOut from 'lucide-react/icons/log-out';
import Monitor from 'lucide-react/icons/monitor';
import Moon from 'lucide-react/icons/moon';
import Sun from 'lucide-react/icons/sun';
import { useId, useState } from 'react';
import { useSignOut } from '../session/use-session.ts';
import { formatFullMoment } from '../ui/format.ts';
import popup from '../ui/popup.module.css';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import styles from './account-menu.module.css';
import { keyText } from './keys.ts';
import { applyTheme, chosenTheme, THEMES, type Theme } from './theme.ts';

/** What concerns the client and this browser: the theme, the keys, the documents, and signing out. */
export function AccountMenu({ session, onKeys }: { readonly session: Session; readonly onKeys: () => void }) {
  const id = useId();
  const signOut = useSignOut();
  return (
    <>
      <button type="button" className={styles.open} popoverTarget={id} aria-label={`Account ${session.clientId}`}>
        <CircleUserRound />
        <span className={styles.client}>{session.clientId}</span>
      </button>
      <div id={id} popover="auto" className={`${popup.popup} ${styles.menu}`}>
        <p className={styles.who}>
          Signed in as <strong>{session.clientId}</strong>
          <br />
          until {formatFullMoment(session.expiresAt)}
        </p>
        <ThemeChoice />
        <div className={`${popup.actions} ${styles.items}`}>
          <button type="button" popoverTarget={id} popoverTargetAction="hide" onClick={onKeys}>
            <Keyboard /> Keyboard <kbd>{keyText('keys')}</kbd>
          </button>
          <a href="/manual/">
            <BookOpen /> Manual
          </a>
          {/* The reference has no way back. */}
          <a href="/docs" target="_blank" rel="noreferrer">
            <Braces /> API <span className="visually-hidden">(new tab)</span>
          </a>
        </div>
        <div className={`${popup.actions} ${styles.items}`}>
          <button type="button" disabled={signOut.isPending} onClick={() => signOut.mutate()}>
            <LogOut /> Sign out
          </button>
          {signOut.error !== null && <ProblemNotice error={signOut.error} />}
        </div>
      </div>
    </>
  );
}

const THEME_NAMES: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' };
const THEME_ICONS = { system: Monitor, light: Sun, dark: Moon } as const;

function ThemeChoice() {
  const [theme, setTheme] = useState(chosenTheme);
  const name = useId();
  return (
    <fieldset className={styles.themes}>
      <legend className="visually-hidden">Colours</legend>
      {THEMES.map((each) => {
        const Icon = THEME_ICONS[each];
        return (
          <label key={each}>
            <input
              type="radio"
              name={name}
              checked={theme === each}
              onChange={() => {
                applyTheme(each);
                setTheme(each);
              }}
            />
            <Icon />
            {THEME_NAMES[each]}
          </label>
        );
      })}
    </fieldset>
  );
}
