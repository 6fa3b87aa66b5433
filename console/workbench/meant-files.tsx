import { useQuery } from '@tanstack/react-query';
import { folderQuery } from '../files/files-query.ts';
import { Button } from '../ui/button.tsx';
import styles from './meant-files.module.css';
import { similarFiles, typedFolder } from './similar-files.ts';

const OFFERED = 3;

/** Buttons with the files that the path of a missing source probably means. */
export function MeantFiles({ path, onChoose }: { readonly path: string; readonly onChoose: (path: string) => void }) {
  const { data } = useQuery(folderQuery(typedFolder(path)));
  const meant = similarFiles(data?.entries ?? [], path, OFFERED);
  if (meant.length === 0) return null;
  return (
    <div role="group" aria-label={`Files with a name like ${path}`} className={styles.meant}>
      {meant.map((each) => (
        <Button key={each} onClick={() => onChoose(each)}>
          Use {each}
        </Button>
      ))}
    </div>
  );
}
