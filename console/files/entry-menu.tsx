import Download from 'lucide-react/icons/download';
import FolderInput from 'lucide-react/icons/folder-input';
import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash-2';
import { fileAddress } from '../media/media-address.ts';
import { ShareButton } from '../share/share-button.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { RowMenu } from '../ui/row-menu.tsx';
import { nameOf } from './file-list.ts';
import type { ListActions } from './list-actions.ts';
import { SelectionConvert } from './selection-convert.tsx';

/** What can be done with one entry of a list, without selecting it first. */
export function EntryMenu({ path, actions }: { readonly path: string; readonly actions: ListActions }) {
  const name = nameOf(path);
  return (
    <RowMenu label={`Actions for ${name}`}>
      {path.endsWith('/') ? (
        <Button onClick={() => actions.downloadFolder(path)}>
          <Download /> Download as zip
        </Button>
      ) : (
        <>
          <LinkButton href={fileAddress(path)()} download={name}>
            <Download /> Download
          </LinkButton>
          <SelectionConvert paths={[path]} />
          <ShareButton what={{ path }} name={name} />
        </>
      )}
      {actions.mayWrite && (
        <>
          <Button onClick={() => actions.startRename(path)}>
            <Pencil /> Rename
          </Button>
          <Button onClick={() => actions.startMove(path)}>
            <FolderInput /> Move…
          </Button>
          <Button onClick={() => actions.remove(path)}>
            <Trash2 /> Delete
          </Button>
        </>
      )}
    </RowMenu>
  );
}
