import { useQueryClient } from '@tanstack/react-query';
import type { ConversionRequest } from '@telecine/client';
import { useState } from 'react';
import { lazyComponent } from '../app/lazy-component.tsx';
import { loadPart } from '../app/load-part.ts';
import type { ChosenCue } from '../cues/cues.ts';
import { firstSource } from '../preview/missing-preview.ts';
import { Button } from '../ui/button.tsx';
import { Section } from '../ui/section.tsx';
import styles from './preview-section.module.css';
import type { Checked } from './use-dry-run.ts';

const Preview = lazyComponent(async () => (await import('../preview/preview.tsx')).Preview);

const WAITS = 'The preview waits until the request can run.';

interface Props {
  readonly request: ConversionRequest;
  /** The request without its recipe. undefined: it is not known yet. */
  readonly plain: ConversionRequest | undefined;
  /** Why there is no preview. undefined: there is one. */
  readonly missing: string | undefined;
  /** The cue that the user wants to see, which opens the preview. Another object each time. undefined: none. */
  readonly cue: ChosenCue | undefined;
  /** Called when the user opens or closes the preview without a cue. */
  readonly onToggle: () => void;
  /** Whether there are several requests, one for each source. `request` is then that of the plan. */
  readonly isOneOfSeveral: boolean;
  readonly checked: Checked;
  /** Whether the request has errors, so that an open preview keeps its last version. */
  readonly isInvalid: boolean;
  readonly isUploading: boolean;
}

/** A preview of a few seconds. It starts only after a click, because it runs a job. */
export function PreviewSection({
  request,
  plain,
  missing,
  cue,
  onToggle,
  isOneOfSeveral,
  checked,
  isInvalid,
  isUploading,
}: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const [seenCue, setSeenCue] = useState(cue);
  if (cue !== seenCue) {
    setSeenCue(cue);
    if (cue !== undefined) setIsOpen(true);
  }
  const runnable = useRunnable(plain, checked, isUploading || missing !== undefined);
  const source = runnable && firstSource(runnable);
  // Until the source is another one.
  const [openedFor, setOpenedFor] = useState<string>();
  if (openedFor !== undefined && source !== undefined && source !== openedFor) setOpenedFor(undefined);
  const queries = useQueryClient();
  /** While the pointer is on its way, so that the first frame waits only for its conversion. An error is shown at the click. */
  const preload = (): void => {
    Preview.preload();
    if (runnable === undefined || isOpen) return;
    loadPart(() => import('../preview/preview-start.ts')).then(
      ({ preloadStart }) => preloadStart(queries, runnable),
      () => undefined,
    );
  };
  // An open preview keeps the last version that could run.
  const isWaiting = !isOpen && isInvalid;
  return (
    <Section
      variant="panel"
      title="Preview"
      actions={
        missing === undefined && (
          <Button
            aria-expanded={isOpen}
            disabled={isWaiting}
            onPointerEnter={preload}
            onFocus={preload}
            onClick={() => {
              setIsOpen(!isOpen);
              setOpenedFor(isOpen ? undefined : firstSource(request));
              onToggle();
            }}
          >
            {isOpen ? 'Close the preview' : 'Show a preview'}
          </Button>
        )
      }
    >
      {missing !== undefined ? (
        <p className={styles.soft}>{missing}</p>
      ) : (
        <p className={styles.soft}>{isWaiting ? WAITS : noteText(request, isOneOfSeveral)}</p>
      )}
      {missing === undefined && isOpen && (
        <>
          {(isUploading || checked.error !== null) && (
            <p role="status" className={styles.soft}>
              {isUploading ? 'The preview waits for the upload.' : WAITS}
            </p>
          )}
          {runnable !== undefined && source !== undefined && (
            <Preview
              fallback={<p className={styles.soft}>Loading…</p>}
              key={source}
              request={runnable}
              source={source}
              cue={cue}
              isJustOpened={source === openedFor}
            />
          )}
        </>
      )}
    </Section>
  );
}

/** The last version of the request that can run. While the request has an error, the preview shows this version. */
function useRunnable(
  now: ConversionRequest | undefined,
  { plan, error, isOld }: Checked,
  isBlocked: boolean,
): ConversionRequest | undefined {
  const [last, setLast] = useState<ConversionRequest>();
  const canRun = plan !== undefined && error === null && !isOld && !isBlocked;
  if (canRun && now !== undefined && JSON.stringify(last) !== JSON.stringify(now)) setLast(now);
  const isSameSource = now === undefined || (last !== undefined && firstSource(last) === firstSource(now));
  return isSameSource ? last : undefined;
}

function noteText({ outputs = [] }: ConversionRequest, isOneOfSeveral: boolean): string {
  const what = 'Converts a few seconds of the source, and compares the result with the source.';
  if (isOneOfSeveral) return `${what} Uses the source of the plan.`;
  return outputs.length > 1 ? `${what} Makes only the first output.` : what;
}
