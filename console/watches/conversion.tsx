import styles from './watches.module.css';

/** What becomes of a file: `camera/film.mov → out/film.mp4`. */
export const Conversion = ({ path, outputs }: { readonly path: string; readonly outputs: string }) => (
  <>
    {path}{' '}
    <span aria-hidden="true" className={styles.arrow}>
      →
    </span>
    <span className="visually-hidden">becomes</span> {outputs}
  </>
);
