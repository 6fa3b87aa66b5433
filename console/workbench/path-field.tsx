import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { FileList } from '@telecine/client';
import { useState } from 'react';
import { client } from '../app/client.ts';
import { isPreviewPath } from '../preview/preview-job.ts';
import { Button } from '../ui/button.tsx';
import { formatBytes } from '../ui/format.ts';
import { SuggestField, type Suggestion } from '../ui/suggest-field.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import styles from './path-field.module.css';

const PAUSE_MS = 150;

/** The maximum number of suggested files. The user can type more characters to find others. */
const OFFERED = 50;

/** Chooses a stored file, folder by folder, or a URL. */
export function PathField({ onChoose }: { readonly onChoose: (path: string) => void }) {
  const [text, setText] = useState('');
  const prefix = useDebounced(text, PAUSE_MS);
  const isUrl = prefix.includes('://');
  const found = useQuery({
    queryKey: ['files', prefix],
    queryFn: ({ signal }) => client.listFiles(prefix, { limit: OFFERED, signal }),
    enabled: !isUrl,
    placeholderData: keepPreviousData,
  });
  const offered = isUrl ? [] : offeredFiles(found.data?.files ?? [], prefix);
  // Suggestions of an earlier text say nothing about this one.
  const isCurrent = text !== '' && prefix === text && !found.isPlaceholderData;
  const meant = isCurrent && offered.length === 1 ? (offered[0]?.value ?? text) : text;
  const choose = (path: string): void => {
    if (path === '' || path.endsWith('/')) return;
    onChoose(path);
    setText('');
  };
  return (
    <div className={styles.line} data-adds-source>
      <SuggestField
        label="Or a stored file, or a URL"
        value={text}
        onChange={setText}
        onChoose={choose}
        onEnter={() => (meant.endsWith('/') ? setText(meant) : choose(meant))}
        placeholder="folder/film.mov"
        suggestions={offered}
      />
      <Button disabled={text === '' || text.endsWith('/')} onClick={() => choose(text)}>
        Add
      </Button>
    </div>
  );
}

/** Suggests previews only if the user has typed their folder. */
const offeredFiles = (files: FileList['files'], prefix: string): readonly Suggestion[] =>
  files.filter(({ path }) => isPreviewPath(prefix) || !isPreviewPath(path.replace(/\/$/, ''))).map(suggestion);

const suggestion = ({ path, sizeBytes }: FileList['files'][number]): Suggestion => ({
  value: path,
  ...(sizeBytes !== undefined && { detail: formatBytes(sizeBytes) }),
});
