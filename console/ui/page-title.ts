import { useEffect, useRef } from 'react';
import { progressTitle } from './progress-title.ts';

let page = '';

/** The progress of running jobs by their ids, as each component tells it. Several components can tell that of one job. */
const told = new Map<object, ReadonlyMap<string, number>>();

function write(): void {
  const percents = new Map([...told.values()].flatMap((each) => [...each]));
  document.title = `${progressTitle([...percents.values()])}${page} · Telecine`;
}

/** Sets the title of the browser tab and of the history entry. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    page = title;
    write();
  }, [title]);
}

/**
 * Shows the progress of running jobs before the title of the page: of one job, or the mean of all, whatever other components show. `percents`:
 * the progress by the id of the job. Empty: nothing runs.
 */
export function useTitleProgress(percents: ReadonlyMap<string, number>): void {
  const key = useRef({});
  // A text changes with the progress; a map is another one in each rendering.
  const text = JSON.stringify([...percents]);
  useEffect(() => {
    told.set(key.current, new Map(JSON.parse(text) as [string, number][]));
    write();
  }, [text]);
  useEffect(() => {
    const { current } = key;
    return () => {
      told.delete(current);
      write();
    };
  }, []);
}
