import styles from './long-name.module.css';

/** A shorter name is shown as it is. */
const LONG = 28;

/** How many characters of the end always stay: the extension, and what distinguishes versions. */
const TAIL = 10;

/** A name that is shortened in its middle where there is no room, because the ends of long names differ. */
export function LongName({ name }: { readonly name: string }) {
  if (name.length <= LONG) return name;
  return (
    <>
      <span className="visually-hidden">{name}</span>
      <span aria-hidden="true" className={styles.name}>
        <span className={styles.head}>{name.slice(0, -TAIL)}</span>
        <span className={styles.tail}>{name.slice(-TAIL)}</span>
      </span>
    </>
  );
}
