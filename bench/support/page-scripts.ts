/* Scripts for a page of Chromium. They are texts, because this project is compiled with the types of Node and not of browsers. */

/** A task of the page that took longer than 50 ms. Times are in milliseconds since the navigation. */
export interface LongTask {
  readonly endMs: number;
  readonly ms: number;
}

/** The records of a page since its navigation. */
export interface Watched {
  /** The milliseconds between frames. */
  readonly frames: readonly number[];
  readonly longTasks: readonly LongTask[];
  /** When the first link to a job was in the page. */
  readonly shownMs: number;
}

/** Watches frames, long tasks and the first job. Runs before the scripts of the page. */
export const WATCH = `
  const watched = { frames: [], longTasks: [], shownMs: Infinity };
  globalThis.watched = watched;
  let last;
  const onFrame = (now) => {
    if (last !== undefined) watched.frames.push(now - last);
    last = now;
    if (watched.shownMs === Infinity && document.querySelector('a[href^="/jobs/"]') !== null) watched.shownMs = now;
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      watched.longTasks.push({ endMs: startTime + duration, ms: duration });
  }).observe({ type: 'longtask', buffered: true });
`;

/** Returns what was watched. */
export const READ_WATCHED = 'globalThis.watched';

/**
 * Scrolls to the end of the list of \`jobs\` jobs, \`step\` pixels a frame. A list loads more jobs when its end is near. Gives up if
 * nothing moves for ten seconds.
 */
export const scrollScript = (jobs: number, step: number): string => `(async () => {
  const rows = () => Number(document.querySelector('[role=table]').getAttribute('aria-rowcount'));
  let moved = performance.now();
  let y = -1;
  for (;;) {
    const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
    if (isAtEnd && rows() > ${jobs}) return;
    if (scrollY !== y) moved = performance.now();
    else if (performance.now() - moved > 10000) throw new Error('The list ends at ' + rows() + ' rows.');
    y = scrollY;
    scrollBy(0, ${step});
    await new Promise(requestAnimationFrame);
  }
})()`;
