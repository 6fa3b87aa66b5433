import { Fragment } from 'react';

/** A path or URL. Lines break after a slash and not inside a word. */
export function PathText({ path }: { readonly path: string }) {
  return path.split(/(?<=[^/]\/)(?=[^/])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a part can be there twice, and has no state.
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
