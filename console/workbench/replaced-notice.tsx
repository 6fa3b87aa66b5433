import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { forgetReplaced, readReplaced } from './replaced-draft.ts';
import styles from './replaced-notice.module.css';
import { useDraft } from './use-draft.tsx';

/** Offers to go back to the draft that a request from elsewhere has replaced. */
export function ReplacedNotice({ clientId }: { readonly clientId: string }) {
  const { change } = useDraft();
  const [draft, setDraft] = useState(() => readReplaced(clientId));
  if (draft === undefined) return null;
  const close = (): void => {
    forgetReplaced(clientId);
    setDraft(undefined);
  };
  return (
    <div className={styles.notice} role="group" aria-label="The replaced draft">
      <p className={styles.text}>Another request has replaced your draft.</p>
      <Button
        onClick={() => {
          change({ do: 'restore', draft });
          close();
        }}
      >
        Back to my draft
      </Button>
      <Button variant="quiet" onClick={close}>
        Dismiss
      </Button>
    </div>
  );
}
