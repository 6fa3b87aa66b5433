import { fileAddress } from '../media/media-address.ts';
import { ShareButton } from '../share/share-button.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { nameOf } from './file-list.ts';

/** The download of the selected entries: of one file as it is, of others as one zip. One file can be shared too. */
export function SelectionDownload({ paths, onZip }: { readonly paths: readonly string[]; readonly onZip: () => void }) {
  const [first = '', ...others] = paths;
  if (first.endsWith('/') || others.length > 0) return <Button onClick={onZip}>Download as zip</Button>;
  return (
    <>
      <LinkButton href={fileAddress(first)()} download={nameOf(first)}>
        Download
      </LinkButton>
      <ShareButton what={{ path: first }} name={nameOf(first)} />
    </>
  );
}
