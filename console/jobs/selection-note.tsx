import { Button } from '../ui/button.tsx';
import styles from './bulk-actions.module.css';
import { jobsText } from './jobs-action-text.ts';
import type { useSelectRest } from './use-select-rest.ts';

/** Tells users that only the loaded jobs are selected, and offers to select the older ones too. */
export function SelectionNote({
  count,
  rest: { canRead, isSelecting, setSelecting },
}: {
  readonly count: number;
  readonly rest: ReturnType<typeof useSelectRest>;
}) {
  return (
    <div className={styles.notice}>
      {isSelecting ? (
        <>
          <span>Loading older jobs to select them: {jobsText(count)} so far…</span>
          <Button onClick={() => setSelecting(false)}>Stop</Button>
        </>
      ) : (
        <>
          <span>The {jobsText(count)} that are loaded are selected. Older jobs are not selected.</span>
          {canRead && <Button onClick={() => setSelecting(true)}>Select the older jobs too</Button>}
        </>
      )}
    </div>
  );
}
