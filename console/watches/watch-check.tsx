import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { ClientError, type NewWatch } from '@telecine/client';
import { dryRunText, rejectedText } from '../../packages/contract/src/domain/watch-text.ts';
import { client } from '../app/client.ts';
import { Button } from '../ui/button.tsx';
import ink from '../ui/ink.module.css';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { Section } from '../ui/section.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { WithCode } from '../ui/with-code.tsx';
import type { WatchSettings } from './watch-draft.ts';
import styles from './watches.module.css';

/** After this pause in typing, the watch is checked. A check reads the folder, so the pause is longer than that of the workbench. */
const PAUSE_MS = 600;

/** Checks a new watch with a dry run while the user fills in the form. undefined: there is nothing to check yet. */
export function useWatchCheck(watch: (WatchSettings & Pick<NewWatch, 'request'>) | undefined) {
  // These change nothing of what the folder is read for.
  const { name: _, every: __, maxUnfinished: ___, settleSeconds: ____, ...checked } = watch ?? {};
  const text = watch === undefined ? '' : JSON.stringify(checked);
  const settled = useDebounced(text, PAUSE_MS);
  const check = useQuery({
    queryKey: ['watch-dry-run', settled],
    queryFn: ({ signal }) => client.dryRunWatch(JSON.parse(settled) as NewWatch, { signal }),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const isOld = text !== '' && (settled !== text || check.isPlaceholderData || check.isPending);
  return {
    run: text === '' || check.error !== null ? undefined : check.data,
    error: text === '' || isOld ? null : check.error,
    /** Whether the result is for an earlier version of the watch, or there is none yet. */
    isOld,
    again: () => void check.refetch(),
  };
}

/** What the watch would convert now, or why it cannot be made. `controls`: the names of those that show their own errors. */
export function WatchCheckPanel({
  folder,
  checked: { run, error, isOld, again },
  controls,
}: {
  readonly folder: string;
  readonly checked: ReturnType<typeof useWatchCheck>;
  readonly controls: readonly string[];
}) {
  const create = useMutation({ mutationFn: () => client.createFolder(folder.replace(/\/+$/, '')), onSuccess: again });
  const { examples = [], warnings = [], files = 0 } = run ?? {};
  const rejected = run && rejectedText(run);
  const isMissing =
    error instanceof ClientError && error.code === 'FOLDER_UNREACHABLE' && !folder.includes('://') && folder !== '/';
  return (
    <Section variant="panel" title="What it would do now">
      <p role="status" aria-busy={isOld}>
        {isOld && 'Checking…'}
        {!isOld && run !== undefined && <strong>{dryRunText(run)}</strong>}
      </p>
      {!isOld && run === undefined && error === null && (
        <p className={ink.soft}>
          The files that would be converted are listed here, with their outputs, before anything is made.
        </p>
      )}
      {error !== null && <ProblemNotice error={error} controls={controls} onRetry={again} />}
      {isMissing && (
        <Button disabled={create.isPending} onClick={() => create.mutate()}>
          Create the folder {folder}
        </Button>
      )}
      {create.error !== null && <ProblemNotice error={create.error} />}
      {rejected !== undefined && <p className={styles.bad}>{rejected}</p>}
      {warnings.length > 0 && (
        <ul className={ink.soft} aria-label="Warnings">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      {examples.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
        <ul className={styles.scroll} aria-label="Files that would be converted" tabIndex={0}>
          {examples.map(({ path, outputs = [], failure }) => (
            <li key={path}>
              {[path, outputs.join(', ')].filter(Boolean).join(' → ')}
              {failure !== undefined && (
                <p className={styles.bad}>
                  <WithCode text={failure.errors?.[0]?.message ?? failure.message} />{' '}
                  <WithCode text={failure.errors?.[0]?.fix ?? failure.fix ?? ''} />
                </p>
              )}
            </li>
          ))}
          {files > examples.length && <li>and {(files - examples.length).toLocaleString()} more</li>}
        </ul>
      )}
    </Section>
  );
}
