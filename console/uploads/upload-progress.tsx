import { Button } from '../ui/button.tsx';
import { formatBytes } from '../ui/format.ts';
import { WithCode } from '../ui/with-code.tsx';
import type { UploadItem } from './upload-item.ts';
import styles from './upload-progress.module.css';
import { useUploads } from './uploads-provider.tsx';

interface Props {
  readonly item: UploadItem;
  /** Called with the new path if the user chooses to keep both files. */
  readonly onRename?: (path: string) => void;
}

/** The progress of an upload. If it has failed, the buttons that can continue it. */
export function UploadProgress({ item, onRename }: Props) {
  const uploads = useUploads();
  const { id, path, state, sizeBytes, sentBytes } = item;
  const isOpen = state === 'running' || state === 'waiting' || state === 'paused';
  return (
    <div className={styles.upload} data-state={state}>
      {isOpen && (
        <>
          <progress aria-label={`Upload of ${path}`} max={Math.max(1, sizeBytes)} value={sentBytes} />
          <span>
            {formatBytes(sentBytes)} of {formatBytes(sizeBytes)}
          </span>
          {item.message !== undefined && (
            <span role="status" className={styles.waits}>
              <WithCode text={item.message} /> Trying again…
            </span>
          )}
        </>
      )}
      {state === 'done' && <span>Uploaded</span>}
      {item.replaced?.entryId !== undefined && <span>The replaced file is in the bin.</span>}
      {state === 'missing' && <span>The page was reloaded. Choose this file again to continue its upload.</span>}
      {state === 'failed' && (
        <span role="alert">
          <WithCode text={failureText(item)} />
        </span>
      )}
      {state === 'failed' && item.code === 'PRECONDITION_FAILED' && (
        <>
          {uploads.link === undefined && (
            <>
              <Button onClick={() => uploads.remove(id)}>Use the existing file</Button>
              <Button onClick={() => uploads.replace(id)}>Replace it</Button>
            </>
          )}
          <Button
            onClick={() => {
              const renamed = uploads.rename(id);
              onRename?.(renamed);
            }}
          >
            Keep both
          </Button>
        </>
      )}
      {state === 'failed' && item.code === 'NOT_LOADED' && (
        <Button onClick={() => window.location.reload()}>Reload the page</Button>
      )}
      {state === 'failed' && item.code !== 'PRECONDITION_FAILED' && item.code !== 'NOT_LOADED' && (
        <Button onClick={() => uploads.retry(id)}>Try again</Button>
      )}
      {state !== 'done' && (
        <Button variant="quiet" aria-label={`Cancel the upload of ${path}`} onClick={() => uploads.remove(id)}>
          Cancel
        </Button>
      )}
    </div>
  );
}

const failureText = ({ path, code, message }: UploadItem): string =>
  code === 'PRECONDITION_FAILED' ? `A file exists at "${path}".` : message || 'The upload failed.';
