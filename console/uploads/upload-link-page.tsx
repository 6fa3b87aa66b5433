import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { client } from '../app/client.ts';
import { formatBytes, formatFullMoment } from '../ui/format.ts';
import { Loading } from '../ui/loading.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { DropZone } from './drop-zone.tsx';
import styles from './upload-link-page.module.css';
import { UploadList } from './upload-list.tsx';
import { Uploads } from './uploads.ts';
import { UploadsContext, useUploadItems, useUploads } from './uploads-provider.tsx';

/** The part of the secret by which the browser keeps the uploads of a link apart. The secret itself is only in the address of the page. */
const nameOf = (link: string): string => `link-${link.slice(4, 16)}`;

/** The page of a link for uploads: for somebody without an account, who sees only what this browser uploads. */
export function UploadLinkPage() {
  const { link } = useParams({ from: '/s/$link' });
  const [uploads] = useState(() => new Uploads(nameOf(link), link));
  usePageTitle('Upload files');
  return (
    <UploadsContext value={uploads}>
      <main className={styles.page}>
        <h1>Upload files</h1>
        <LinkUploads link={link} />
      </main>
    </UploadsContext>
  );
}

function LinkUploads({ link }: { readonly link: string }) {
  const uploads = useUploads();
  const items = useUploadItems();
  const terms = useQuery({
    queryKey: ['upload link', link],
    queryFn: ({ signal }) => client.uploadTerms(link, { signal }),
  });
  const done = items.filter(({ state }) => state === 'done').length;
  const { data, error, refetch } = terms;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each finished upload changes what the link takes.
  useEffect(() => void refetch(), [done]);
  if (error !== null) return <ProblemNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  const { files, taken, maxBytes, expiresAt } = data;
  return (
    <>
      <p>
        {taken} of {files} files taken. The link works until {formatFullMoment(expiresAt)}.
      </p>
      <DropZone
        label="Drop files here"
        note={`${maxBytes === undefined ? '' : `Each of up to ${formatBytes(maxBytes)}. `}An interrupted upload continues when you open this page again.`}
        onFiles={(chosen) => uploads.add(chosen)}
      />
      <UploadList className={styles.items} label="Uploads" items={items} />
    </>
  );
}
