import { usePageTitle } from './page-title.ts';

/** The heading of a page, which also names its tab. */
export function PageHeading({ children }: { readonly children: string }) {
  usePageTitle(children);
  return <h1>{children}</h1>;
}
