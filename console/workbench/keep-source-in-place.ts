import { NARROW } from './started-jobs.ts';

/** The card of the source at which the user works, such as at its strip. */
export const focusedSource = (): Element | undefined =>
  document.activeElement?.closest('article[data-draft-part]') ?? undefined;

/** The distance of that card from the top of the window. Infinite if there is none. */
const topOfSource = (): number => focusedSource()?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY;

/**
 * Keeps the source at which the user works in its place in a narrow window, when something above it on the page gets another height, such as
 * the result of a job. Browsers do this only where the page has been scrolled, and not all of them. The style sheet of the page turns it off,
 * so that the page is not scrolled twice. Returns a function that stops this.
 * Source: https://drafts.csswg.org/css-scroll-anchoring/#suppression-triggers
 */
export function keepSourceInPlace(page: Element): () => void {
  // The place stays the same while the page is at its top and cannot be scrolled to it.
  let place = topOfSource();
  const remember = (): void => {
    place = topOfSource();
  };
  const observer = new ResizeObserver(() => {
    const top = topOfSource();
    // The user has scrolled away from a source below the window, for example to see the result.
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
