import note from '../ui/picture-note.module.css';
import styles from './strip-note.module.css';

/** Frames without pictures in the place of a film strip, and why there are none. The service needs seconds to make the strip of a long film. */
export const StripNote = ({ isFailed = false }: { readonly isFailed?: boolean }) => (
  <div className={styles.frames} data-failed={isFailed}>
    <p role="status" className={note.note}>
      {isFailed ? 'The film strip could not be made' : 'Making the film strip…'}
    </p>
  </div>
);
