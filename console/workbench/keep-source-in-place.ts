import { NARROW } from './started-jobs.ts';

/** The card of the source at which the user works, such as at its strip. */
export const focusedSource = (): Element | undefined =>
  document.activeElement?.closest('article[data-draft-part]') ?? undefined;

/** The distance of the card of `focusedSource` from the top of the window, in pixels. Infinite if there is no such card. */
const topOfSource = (): number => focusedSource()?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY;

/**
 * Keeps the source at which the user works in its place in a narrow window, when something above it on the page gets another height, such as
 * the result of a job. Browsers do this only where the page has been scrolled, and not all of them. The style sheet of the page turns it off,
 * so that the page is not scrolled twice. Returns a function that stops this.
 * Source: https://drafts.csswg.org/css-scroll-anchoring/#suppression-triggers
 */
export function keepSourceInPlace(page: Element): () => void {
  // Where the source belongs in the window. If the page is already at its top, the source can stay above this place for a while.
  let place = topOfSource();
  const remember = (): void => {
    place = topOfSource();
  };
  const observer = new ResizeObserver(() => {
    const top = topOfSource();
    // Leave the page alone if the user has scrolled until the source was below the window, for example to see the result.
    if (Number.isFinite(top) && place < window.innerHeight && window.matchMedia(NARROW).matches)
      window.scrollBy(0, top - place);
  });
  observer.observe(page);
  document.addEventListener('focusin', remember);
  window.addEventListener('scroll', remember);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', remember);
    window.removeEventListener('scroll', remember);
  };
}
