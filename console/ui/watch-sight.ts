/** What to call when an element comes into sight or leaves it. */
const WATCHED = new WeakMap<Element, (isInSight: boolean) => void>();

let observer: IntersectionObserver | undefined;

/** Calls `onChange` when an element comes into sight or leaves it. All elements share one observer: scrolling adds many. */
export function watchSight(element: Element, onChange: (isInSight: boolean) => void): () => void {
  observer ??= new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) WATCHED.get(target)?.(isIntersecting);
  });
  WATCHED.set(element, onChange);
  observer.observe(element);
  return () => {
    WATCHED.delete(element);
    observer?.unobserve(element);
  };
}
