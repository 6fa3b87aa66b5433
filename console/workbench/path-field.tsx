import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { FileList } from '@telecine/client';
import { type ReactNode, useEffect, useState } from 'react';
import { fileSearch } from '../../packages/contract/src/domain/file-search.ts';
import { client } from '../app/client.ts';
import { Button } from '../ui/button.tsx';
import { formatBytes } from '../ui/format.ts';
import { SuggestField, type Suggestion } from '../ui/suggest-field.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { WithCode } from '../ui/with-code.tsx';
import { folderAbove, isFolder, meantPath } from './meant-path.ts';
import styles from './path-field.module.css';
import { searchQuery } from './search-query.ts';
import { isFileSearch, isOffered } from './searched-text.ts';
import { hasExtension } from './similar-files.ts';

const PAUSE_MS = 150;

/** The maximum number of suggested files. The user can type more characters to find others. */
const OFFERED = 50;

/** Chooses a stored file, found in all folders or folder by folder, or a URL. */
export function PathField({
  of,
  browsed,
  onChoose,
}: {
  /** The client whose files the user cannot list, and so types. */
  readonly of?: string | undefined;
  /** Shows the files of the first folder whenever this number rises. */
  readonly browsed: number;
  readonly onChoose: (path: string) => void;
}) {
  const [text, setText] = useState('');
  const prefix = useDebounced(text, PAUSE_MS);
  /** How often a folder was opened by Enter or "Add". */
  const [opened, setOpened] = useState(0);
  /** What was entered, and is not the path of a file. */
  const [missing, setMissing] = useState<string>();
  const isUrl = text.includes('://');
  const begun = useQuery({
    queryKey: ['files', prefix],
    queryFn: ({ signal }) => client.listFiles(prefix, { limit: OFFERED, signal }),
    enabled: of === undefined && !prefix.includes('://'),
    placeholderData: keepPreviousData,
  });
  // The names of a client that may not list its files are not known either.
  const isTyped = of !== undefined || isUrl || begun.error !== null;
  const isSearched = isFileSearch(prefix) && !isTyped;
  const all = useQuery({ ...searchQuery(prefix), enabled: isSearched, placeholderData: keepPreviousData });
  const files = begun.data?.files ?? [];
  const known = new Set(files.map(({ path }) => path));
  // Meanwhile, what an earlier search has found and this one means too.
  const matches = fileSearch(prefix);
  const searched = isSearched ? (all.data?.entries ?? []) : [];
  const matching = all.isPlaceholderData ? searched.filter(({ path }) => matches(path)) : searched;
  const found = isTyped
    ? []
    : [
        ...files.filter(({ path }) => isOffered(path, prefix)),
        ...matching.filter(({ path }) => !known.has(path) && isOffered(path, prefix)),
      ];
  const offered = found.slice(0, OFFERED);
  const hasMoreBegun = begun.data?.nextCursor !== undefined;
  const left = isSearched && !all.isFetching ? (all.isError ? 'names' : all.data?.left) : undefined;
  /** Whether all files that have the text in their paths are known. */
  const isWhole = left === undefined && (isSearched || !hasMoreBegun);
  // Suggestions of an earlier text say nothing about this one.
  const isCurrent = prefix === text && !begun.isPlaceholderData;
  const isSettled = isTyped || (isCurrent && !begun.isFetching && (known.has(text) || !isSearched || !all.isFetching));
  const more = isTyped
    ? undefined
    : moreText({
        hasMore: found.length > OFFERED || hasMoreBegun || left === 'found',
        isUnsearched: left === 'names',
      });
  // While some files are not known, one that is found by a part of its path may not be the only one.
  const paths = found.map(({ path }) => path).filter((path) => isWhole || path === text);
  const meant = isTyped ? text : isCurrent ? meantPath(text, paths) : undefined;
  // Enter and "Add" can come before the reply for the last letter: then they count for that reply.
  const [isEntered, setEntered] = useState(false);
  const change = (next: string): void => {
    setEntered(false);
    setMissing(undefined);
    setText(next);
  };
  const choose = (path: string): void => {
    if (path === '' || isFolder(path)) return;
    onChoose(path);
    change('');
  };
  const enter = (): void => {
    if (meant === undefined && (offered.length === 0 || hasExtension(text))) setMissing(text);
    else if (meant === undefined || isFolder(meant)) {
      change(meant ?? text);
      setOpened((count) => count + 1);
    } else choose(meant);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was entered is chosen once, when its suggestions are there.
  useEffect(() => {
    if (!isEntered || !isSettled) return;
    setEntered(false);
    if (text !== '') enter();
  }, [isEntered, isSettled]);
  useEffect(() => {
    if (browsed > 0) setText('');
  }, [browsed]);
  return (
    <div className={styles.line} data-adds-source>
      <SuggestField
        label={of === undefined ? 'Or a stored file, or a URL' : `A file of ${of}, or a URL`}
        value={text}
        onChange={change}
        onChoose={choose}
        keepsOpen={(path) => path === '' || isFolder(path)}
        opened={browsed + opened}
        onEnter={() => setEntered(true)}
        // A name that is not a path is searched by the check, which knows the files of the other client.
        placeholder={of === undefined ? 'Part of a name, or folder/film.mov' : 'folder/film.mov'}
        suggestions={[...upwards(text, isTyped), ...offered.map(suggestion)]}
        more={more}
      >
        {noteOf(text, {
          missing: missing === text && missing !== '',
          isAbsent: isSearched && isWhole && found.length === 0,
          more: offered.length === 0 || missing === text ? more : undefined,
          onAdd: () => choose(text),
        })}
      </SuggestField>
      {/* What is entered before it is known counts when it is known. */}
      <Button
        disabled={text === '' || isFolder(text) || (isSettled && (meant === undefined || isFolder(meant)))}
        onClick={() => setEntered(true)}
      >
        Add
      </Button>
    </div>
  );
}

/** What is said below the field about a text that is not the path of a file. */
function noteOf(
  text: string,
  {
    missing,
    isAbsent,
    more,
    onAdd,
  }: {
    readonly missing: boolean;
    /** Whether no stored file has the text in its path. */
    readonly isAbsent: boolean;
    readonly more: string | undefined;
    readonly onAdd: () => void;
  },
): ReactNode {
  if (!missing && more === undefined) return undefined;
  return (
    <div role="status" className={styles.missing}>
      {missing && (
        <WithCode
          text={isAbsent ? `No stored file has \`${text}\` in its path.` : `No stored file has the path \`${text}\`.`}
        />
      )}
      {more !== undefined && ` ${more}`}
      {missing && hasExtension(text) && (
        <Button variant="quiet" onClick={onAdd}>
          Add it anyway: it will be there later
        </Button>
      )}
    </div>
  );
}

/** What is said of files that are not suggested. `isUnsearched`: there are names that were not looked at. */
function moreText({
  hasMore,
  isUnsearched,
}: {
  readonly hasMore: boolean;
  readonly isUnsearched: boolean;
}): string | undefined {
  if (isUnsearched) return 'Not all folders were searched: type the folder of the file.';
  return hasMore ? 'There are more: type a part of the name.' : undefined;
}

/** The suggestion that leads out of an opened folder. */
const upwards = (text: string, isTyped: boolean): readonly Suggestion[] =>
  !isTyped && isFolder(text) ? [{ value: folderAbove(text), label: '../', detail: 'The folder above' }] : [];

const suggestion = ({ path, sizeBytes }: FileList['files'][number]): Suggestion => ({
  value: path,
  ...(sizeBytes !== undefined && { detail: formatBytes(sizeBytes) }),
});
