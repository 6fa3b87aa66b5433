import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { FileList } from '@telecine/client';
import { useEffect, useState } from 'react';
import { client } from '../app/client.ts';
import { folderQuery } from '../files/files-query.ts';
import { isPreviewPath } from '../preview/preview-job.ts';
import { Button } from '../ui/button.tsx';
import { formatBytes } from '../ui/format.ts';
import { SuggestField, type Suggestion } from '../ui/suggest-field.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import styles from './path-field.module.css';
import { filesContaining, hasExtension, typedFolder } from './similar-files.ts';

const PAUSE_MS = 150;

/** The maximum number of suggested files. The user can type more characters to find others. */
const OFFERED = 50;

/** The least characters of a name that are searched in the middle of names. */
const SHORTEST = 2;

/** How long the names of a folder are not read again while the user types. */
const KEEP_MS = 30_000;

/** Chooses a stored file, folder by folder, or a URL. `of`: the client whose files the user cannot list, and so types. */
export function PathField({
  of,
  onChoose,
}: {
  readonly of?: string | undefined;
  readonly onChoose: (path: string) => void;
}) {
  const [text, setText] = useState('');
  const prefix = useDebounced(text, PAUSE_MS);
  const isTyped = of !== undefined || text.includes('://');
  const found = useQuery({
    queryKey: ['files', prefix],
    queryFn: ({ signal }) => client.listFiles(prefix, { limit: OFFERED, signal }),
    enabled: of === undefined && !prefix.includes('://'),
    placeholderData: keepPreviousData,
  });
  const folder = typedFolder(prefix);
  const begun = isTyped ? [] : offeredFiles(found.data?.files ?? [], prefix);
  // The service finds names by their beginning. Read the folder for the names that have the text elsewhere.
  const isLong = prefix.length - folder.length >= SHORTEST;
  const whole = useQuery({
    ...folderQuery(folder),
    enabled: !isTyped && isLong && found.data !== undefined && begun.length < OFFERED,
    staleTime: KEEP_MS,
  });
  const others = isTyped || !isLong ? [] : offeredFiles(filesContaining(whole.data?.entries ?? [], prefix), prefix);
  const known = new Set(begun.map(({ value }) => value));
  const offered = [...begun, ...others.filter(({ value }) => !known.has(value))].slice(0, OFFERED);
  // Suggestions of an earlier text say nothing about this one.
  const isCurrent = text !== '' && prefix === text && !found.isPlaceholderData;
  // A complete name that is only the end of another one can be of a file that is not there yet.
  const matching = begun.length > 0 ? begun : hasExtension(text) ? [] : others;
  const meant = isCurrent && matching.length === 1 ? (matching[0]?.value ?? text) : text;
  // Enter and "Add" can come before the reply for the last letter: then they count for that reply, or for its failure.
  const [isEntered, setEntered] = useState(false);
  const isSettled = isTyped || (prefix === text && !found.isFetching && !whole.isFetching);
  const change = (next: string): void => {
    setEntered(false);
    setText(next);
  };
  const choose = (path: string): void => {
    if (path === '' || path.endsWith('/')) return;
    onChoose(path);
    change('');
  };
  const enter = (): void => (meant.endsWith('/') ? change(meant) : choose(meant));
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was entered is chosen once, when its suggestions are there.
  useEffect(() => {
    if (!isEntered || !isSettled) return;
    setEntered(false);
    enter();
  }, [isEntered, isSettled]);
  return (
    <div className={styles.line} data-adds-source>
      <SuggestField
        label={of === undefined ? 'Or a stored file, or a URL' : `A file of ${of}, or a URL`}
        value={text}
        onChange={change}
        onChoose={choose}
        onEnter={() => setEntered(true)}
        placeholder="folder/film.mov"
        suggestions={offered}
      />
      <Button disabled={text === '' || text.endsWith('/')} onClick={() => setEntered(true)}>
        Add
      </Button>
    </div>
  );
}

/** Suggests previews only if the user has typed their folder. */
const offeredFiles = (files: readonly FileList['files'][number][], prefix: string): readonly Suggestion[] =>
  files.filter(({ path }) => isPreviewPath(prefix) || !isPreviewPath(path.replace(/\/$/, ''))).map(suggestion);

const suggestion = ({ path, sizeBytes }: FileList['files'][number]): Suggestion => ({
  value: path,
  ...(sizeBytes !== undefined && { detail: formatBytes(sizeBytes) }),
});
