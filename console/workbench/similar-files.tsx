import { extensionOf } from '../files/file-list.ts';
import { fileAddress } from '../media/media-address.ts';
import { mediaKind } from '../media/media-kind.ts';
import { Thumbnail } from '../media/thumbnail.tsx';
import { Button } from '../ui/button.tsx';
import styles from './similar-files.module.css';

/** Buttons with the existing files whose names are similar to that of a missing one. */
export const SimilarFiles = ({
  near,
  mayRead,
  onChoose,
}: {
  readonly near: readonly string[];
  /** Whether they are files of the signed-in client, and it may read them. */
  readonly mayRead: boolean;
  readonly onChoose: (path: string) => void;
}) => (
  <div role="group" aria-label="Files with similar names" className={styles.files}>
    {near.map((each) => (
      <Button key={each} onClick={() => onChoose(each)}>
        {mayRead && mediaKind(each) !== 'other' && (
          <Thumbnail
            kind={mediaKind(each)}
            address={fileAddress(each)}
            width={96}
            label={extensionOf(each)}
            className={styles.picture}
          />
        )}
        Use {each}
      </Button>
    ))}
  </div>
);
