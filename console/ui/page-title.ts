import { useEffect } from 'react';

/** Sets the title of the browser tab and of the history entry. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Telecine`;
  }, [title]);
}
