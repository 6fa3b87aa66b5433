import { Button } from '../ui/button.tsx';
import styles from './similar-files.module.css';

/** Buttons with the existing files whose names are similar to that of a missing one. */
export const SimilarFiles = ({
  near,
  onChoose,
}: {
  readonly near: readonly string[];
  readonly onChoose: (path: string) => void;
}) => (
  <div role="group" aria-label="Files with similar names" className={styles.files}>
    {near.map((each) => (
      <Button key={each} onClick={() => onChoose(each)}>
        Use {each}
      </Button>
    ))}
  </div>
);
