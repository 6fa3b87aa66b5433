/** Remembers that the user was asked, so that nobody is asked twice. */
const ASKED = 'telecine-asked-to-notify';

/** Whether the user can be asked, and was not asked yet. Browsers notify only on pages over HTTPS and on localhost. */
export const canAsk = (): boolean =>
  'Notification' in window && Notification.permission === 'default' && window.localStorage.getItem(ASKED) === null;

/** Remembers the answer. With `wants`, the browser asks for the permission too. */
export async function answer(wants: boolean): Promise<void> {
  window.localStorage.setItem(ASKED, 'yes');
  if (wants) await Notification.requestPermission();
}

/** Shows a notification if the user has allowed notifications and this tab is hidden. `onClick` is called when the user clicks it. */
export function notify({ title, body }: { readonly title: string; readonly body: string }, onClick: () => void): void {
  if (!('Notification' in window) || Notification.permission !== 'granted' || !document.hidden) return;
  const shown = new Notification(title, { body, icon: '/icon.svg' });
  shown.onclick = () => {
    window.focus();
    onClick();
    shown.close();
  };
}
