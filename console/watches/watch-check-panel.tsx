import { useMutation, useQuery } from '@tanstack/react-query';
import { ClientError, type WatchDryRun } from '@telecine/client';
import type { ReactNode } from 'react';
import { dryRunText, rejectedText } from '../../packages/contract/src/domain/watch-text.ts';
import { client } from '../app/client.ts';
import { folderOf, nameOf } from '../files/file-list.ts';
import { folderQuery } from '../files/files-query.ts';
import { Button } from '../ui/button.tsx';
import ink from '../ui/ink.module.css';
import { Loading } from '../ui/loading.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { WithCode } from '../ui/with-code.tsx';
import { Conversion } from './conversion.tsx';
import type { CheckedWatch } from './use-watch-check.ts';
import styles from './watches.module.css';

interface Props {
  readonly folder: string;
  /** What becomes of a file. It is shown while no file is listed. */
  readonly example: ReactNode;
  /** Whether there is something to check. */
  readonly isComplete: boolean;
  readonly checked: CheckedWatch;
  /** The names of the controls that show their own errors. */
  readonly controls: readonly string[];
}

/** What the watch would convert now, or why it cannot be made. */
export function WatchCheckPanel({ folder, example, isComplete, checked, controls }: Props) {
  const { run, error, isOld, again } = checked;
  if (!isComplete)
    return (
      <>
        <NoFolder folder={folder} />
        {folder === '' ? <Example /> : <FilesThere folder={folder} example={example} />}
        <p className={ink.soft}>
          Once there is a recipe, only the files that would be converted are listed here, with their outputs, before
          anything is made.
        </p>
      </>
    );
  return (
    <>
      <div role="status" aria-busy={isOld}>
        {isOld && run === undefined && error === null && <Loading />}
        {isOld && run !== undefined && <p className={ink.soft}>Checking…</p>}
        {!isOld && run !== undefined && <p className={styles.finding}>{dryRunText(run)}</p>}
      </div>
      {!isOld && error !== null && (
        <>
          <ProblemNotice error={error} controls={controls} onRetry={again} />
          {isMissing(error) && !folder.includes('://') && <CreateFolder folder={folder} onDone={again} />}
        </>
      )}
      {run !== undefined && <Examples run={run} />}
      {run?.examples.length === 0 && <p className={ink.soft}>For example: {example}.</p>}
    </>
  );
}

const isMissing = (error: Error): boolean => error instanceof ClientError && error.code === 'FOLDER_UNREACHABLE';

/** After this pause in typing, the page looks whether the folder exists. */
const PAUSE_MS = 600;

/** Says that the folder does not exist, before there is a watch to check. */
function NoFolder({ folder }: { readonly folder: string }) {
  const settled = useDebounced(folder, PAUSE_MS);
  const isListed = settled !== '' && settled !== '/' && !settled.includes('://');
  const parent = useQuery({ ...folderQuery(folderOf(settled), nameOf(settled)), enabled: isListed });
  if (!isListed || settled !== folder || parent.data === undefined) return null;
  if (parent.data.entries.some(({ path }) => path === folder)) return null;
  return (
    <>
      <p className={ink.soft}>There is no folder {folder} yet.</p>
      <CreateFolder folder={folder} onDone={() => void parent.refetch()} />
    </>
  );
}

/** An example of what a watch does. It is shown until a folder is chosen. */
const Example = () => (
  <p className={ink.soft}>
    For example: <Conversion path="in/film.mov" outputs="out/film.mp4" />, once for each file that lands there.
  </p>
);

/** How many files of a folder are listed before there is a watch to check. */
const LISTED = 8;

/** The files that a folder has now. Which of them the watch takes is checked as soon as there is a recipe. */
function FilesThere({ folder, example }: { readonly folder: string; readonly example: ReactNode }) {
  const settled = useDebounced(folder, PAUSE_MS);
  const isListed = !settled.includes('://');
  const read = useQuery({ ...folderQuery(settled === '/' ? '' : settled), enabled: isListed });
  const files = (read.data?.entries ?? []).filter(({ type }) => type === 'file');
  if (settled !== folder || (isListed && read.data === undefined && read.error === null)) return null;
  if (files.length === 0) return <p className={ink.soft}>For example: {example}.</p>;
  return (
    <ul className={styles.files} aria-label="Files in the folder">
      {files.slice(0, LISTED).map(({ path }) => (
        <li key={path}>{path}</li>
      ))}
      {files.length > LISTED && <li>and {(files.length - LISTED).toLocaleString()} more</li>}
    </ul>
  );
}

/** Makes the watched folder, which a newcomer may not have yet. */
function CreateFolder({ folder, onDone }: { readonly folder: string; readonly onDone: () => void }) {
  const create = useMutation({
    mutationFn: () => client.createFolder(folder.replace(/\/+$/, '')),
    onSuccess: onDone,
  });
  return (
    <>
      <Button disabled={create.isPending} onClick={() => create.mutate()}>
        Create the folder {folder}
      </Button>
      {create.error !== null && <ProblemNotice error={create.error} />}
    </>
  );
}

function Examples({ run }: { readonly run: WatchDryRun }) {
  const rest = run.files - run.examples.length;
  const rejected = rejectedText(run);
  return (
    <>
      {rejected !== undefined && <p className={styles.errors}>{rejected}</p>}
      {run.warnings.length > 0 && (
        <ul className={ink.soft} aria-label="Warnings">
          {run.warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      {run.examples.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
        <ul className={styles.files} aria-label="Files that would be converted" tabIndex={0}>
          {run.examples.map(({ path, outputs = [], failure }) => (
            <li key={path}>
              {outputs.length === 0 ? path : <Conversion path={path} outputs={outputs.join(', ')} />}
              {failure !== undefined && (
                <p>
                  <WithCode text={failure.errors?.[0]?.message ?? failure.message} />{' '}
                  <WithCode text={failure.errors?.[0]?.fix ?? failure.fix ?? ''} />
                </p>
              )}
            </li>
          ))}
          {rest > 0 && <li>and {rest.toLocaleString()} more</li>}
        </ul>
      )}
    </>
  );
}
