import type { Job } from '@telecine/client';
import { useState } from 'react';
import { answer, canAsk } from '../jobs/notifications.ts';
import { Button } from '../ui/button.tsx';
import styles from './running-job.module.css';

/** A job that takes longer than this is worth a notification. */
const LONG_SECONDS = 60;

/** Asks once whether the browser may notify the user at the end of a long job. */
export function NotifyQuestion({ job: { status, etaSeconds = 0 } }: { readonly job: Job }) {
  const [isAnswered, setAnswered] = useState(false);
  const [isLong, setLong] = useState(false);
  if (!isLong && status === 'PROCESSING' && etaSeconds > LONG_SECONDS && canAsk()) setLong(true);
  if (!isLong || isAnswered) return null;
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
