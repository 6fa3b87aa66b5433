import { usePageTitle } from './page-title.ts';
import { PathText } from './path-text.tsx';

/** The heading of a page, which also names its tab. Often it is a path. */
export function PageHeading({ children }: { readonly children: string }) {
  usePageTitle(children);
  return (
    <h1>
      <PathText path={children} />
    </h1>
  );
}
