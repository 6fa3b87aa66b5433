import { Button } from '../ui/button.tsx';
import styles from './meant-files.module.css';

/** Buttons with the files that the path of a missing source probably means. */
export const MeantFiles = ({
  path,
  near,
  onChoose,
}: {
  readonly path: string;
  readonly near: readonly string[];
  readonly onChoose: (path: string) => void;
}) => (
  <div role="group" aria-label={`Files with a name like ${path}`} className={styles.meant}>
    {near.map((each) => (
      <Button key={each} onClick={() => onChoose(each)}>
        Use {each}
      </Button>
    ))}
  </div>
);
