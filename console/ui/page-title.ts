import { useEffect, useRef } from 'react';

let page = '';

/** The progress that components show in the title, in percent. The newest one counts. */
const progress = new Map<object, number>();

function write(): void {
  const percent = [...progress.values()].at(-1);
  document.title = `${percent === undefined ? '' : `${percent} % · `}${page} · Telecine`;
}

/** Sets the title of the browser tab and of the history entry. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    page = title;
    write();
  }, [title]);
}

/** Shows the progress of a running job before the title of the page, in whole percent. undefined: nothing runs. */
export function useTitleProgress(percent: number | undefined): void {
  const key = useRef({});
  useEffect(() => {
    const { current } = key;
    if (percent !== undefined) progress.set(current, percent);
    write();
    return () => {
      progress.delete(current);
      write();
    };
  }, [percent]);
}
