import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { arrangeFiles } from '../files/file-list.ts';
import { folderQuery } from '../files/files-query.ts';
import { isPreviewPath } from '../preview/preview-job.ts';
import { formatBytes } from '../ui/format.ts';
import { SuggestField } from '../ui/suggest-field.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { typedFolder } from '../workbench/similar-files.ts';

const PAUSE_MS = 150;

/** The most files that are suggested. */
const OFFERED = 50;

/** A stored file, chosen folder by folder, or a typed path or URL. */
export function FileField({
  label,
  value,
  isInvalid,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly isInvalid: boolean;
  readonly onChange: (path: string) => void;
}) {
  const text = useDebounced(value, PAUSE_MS);
  const folder = typedFolder(text);
  const isUrl = value.includes('://');
  const found = useQuery({ ...folderQuery(folder), enabled: !isUrl, placeholderData: keepPreviousData });
  const entries = (found.data?.entries ?? []).filter(({ path }) => !isPreviewPath(path.replace(/\/$/, '')));
  return (
    <SuggestField
      label={label}
      isCode
      isInvalid={isInvalid}
      placeholder="folder/film.mov"
      value={value}
      suggestions={
        isUrl
          ? []
          : arrangeFiles(entries, { q: text.slice(folder.length) })
              .slice(0, OFFERED)
              .map(({ path, sizeBytes }) => ({
                value: path,
                ...(sizeBytes !== undefined && { detail: formatBytes(sizeBytes) }),
              }))
      }
      onChange={onChange}
    />
  );
}
