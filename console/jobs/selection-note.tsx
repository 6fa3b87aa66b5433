import { Button } from '../ui/button.tsx';
import styles from './bulk-actions.module.css';
import { jobsText } from './jobs-action-text.ts';
import type { useSelectRest } from './use-select-rest.ts';

/** Says that "all" are only the jobs that were loaded, and offers the others. */
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
          <span>The {jobsText(count)} that are loaded are selected. There are older ones, which are not.</span>
          {canRead && <Button onClick={() => setSelecting(true)}>Select the older jobs too</Button>}
        </>
      )}
    </div>
  );
}
