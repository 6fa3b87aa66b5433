import styles from './operate-page.module.css';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a text is the id of a job, a worker or a webhook, and not a name or a path. */
export const isId = (text: string): boolean => UUID.test(text);

/**
 * Shows the last 8 characters of an id, because its first characters are often equal to those of other ids. Shows other
 * texts in full.
 */
export function ShortId({ id }: { readonly id: string }) {
  return (
    <code title={id} className={isId(id) ? styles.id : undefined}>
      {isId(id) ? `…${id.slice(-8)}` : id}
    </code>
  );
}
