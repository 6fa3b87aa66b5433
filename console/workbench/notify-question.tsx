import { useState } from 'react';
import { answer, canAsk } from '../jobs/notifications.ts';
import { Button } from '../ui/button.tsx';
import styles from './running-job.module.css';

/** Asks once whether the browser may notify the user at the end of a long run. */
export function NotifyQuestion({ isLong }: { readonly isLong: boolean }) {
  const [isAnswered, setAnswered] = useState(false);
  // The question stays when the rest of the run is short.
  const [isAsked, setAsked] = useState(false);
  if (!isAsked && isLong && canAsk()) setAsked(true);
  if (!isAsked || isAnswered) return null;
  const reply = (wants: boolean) => () => {
    setAnswered(true);
    void answer(wants);
  };
  return (
    <div className={styles.line} role="group" aria-label="Notification">
      <span>This takes a while. Should the browser notify you when it is done?</span>
      <Button onClick={reply(true)}>Yes, notify me</Button>
      <Button variant="quiet" onClick={reply(false)}>
        No
      </Button>
    </div>
  );
}
