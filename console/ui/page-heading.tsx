import { usePageTitle } from './page-title.ts';
import { PathText } from './path-text.tsx';

/** The heading of a page, which is also the title of the browser tab. It is often a path. */
export function PageHeading({ children }: { readonly children: string }) {
  usePageTitle(children);
  return (
    <h1>
      <PathText path={children} />
    </h1>
  );
}
