import File from 'lucide-react/icons/file';
import FolderUp from 'lucide-react/icons/folder-up';
import Upload from 'lucide-react/icons/upload';
import { useId, useRef } from 'react';
import { Button } from '../ui/button.tsx';
import menu from '../ui/menu.module.css';
import { MenuItems } from '../ui/menu.tsx';
import { FilePicker } from '../uploads/file-picker.tsx';
import { pickFolder } from '../uploads/pick-folder.ts';
import { useUploads } from '../uploads/uploads-provider.tsx';
import styles from './upload-menu.module.css';

/** The button that uploads files to a folder that has some. */
export function UploadMenu({ folder, isNext }: { readonly folder: string; readonly isNext: boolean }) {
  const id = useId();
  const uploads = useUploads();
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div className={`${menu.menu} ${styles.menu}`}>
      <Button variant={isNext ? 'primary' : 'plain'} popoverTarget={id}>
        <Upload /> Upload
      </Button>
      <MenuItems id={id}>
        <Button onClick={() => picker.current?.click()}>
          <File /> Choose files…
        </Button>
        <Button onClick={() => pickFolder((files) => uploads.add(files, folder))}>
          <FolderUp /> Choose a folder…
        </Button>
      </MenuItems>
      <FilePicker ref={picker} onFiles={(files) => uploads.add(files, folder)} />
    </div>
  );
}
