import note from '../ui/picture-note.module.css';
import styles from './strip-note.module.css';

/** Frames without pictures in the place of a film strip, and why there are none. The service needs seconds to make the strip of a long film. */
export const StripNote = () => (
  <div className={styles.frames}>
    <p role="status" className={note.note}>
      Making the film strip…
    </p>
  </div>
);
