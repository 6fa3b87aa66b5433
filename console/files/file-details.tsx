import { Link } from '@tanstack/react-router';
import type { ConversionRequest } from '@telecine/client';
import Clapperboard from 'lucide-react/icons/clapperboard';
import Download from 'lucide-react/icons/download';
import Gauge from 'lucide-react/icons/gauge';
import Trash2 from 'lucide-react/icons/trash-2';
import X from 'lucide-react/icons/x';
import { type RefObject, useState } from 'react';
import { client } from '../app/client.ts';
import { fileAddress } from '../media/media-address.ts';
import { MediaInfo } from '../media/media-info.tsx';
import { mediaKind } from '../media/media-kind.ts';
import { MediaView } from '../media/media-view.tsx';
import { ShareButton } from '../share/share-button.tsx';
import { SharedLinks } from '../share/shared-links.tsx';
import { Button, buttonClass, LinkButton } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { formatBytes } from '../ui/format.ts';
import { Menu } from '../ui/menu.tsx';
import { Moment } from '../ui/moment.tsx';
import { useOpenInWorkbench } from '../workbench/use-open-in-workbench.ts';
import styles from './file-details.module.css';
import { type FileEntry, nameOf } from './file-list.ts';
import { MeasureDialog } from './measure-dialog.tsx';

/** One file: its player or preview, its streams, and the actions for it. */
export function FileDetails({
  path,
  entry,
  mayDelete,
  onKeep,
  onDeleted,
  focusAfter,
}: {
  readonly path: string;
  /** undefined: the list of the folder does not contain the file. */
  readonly entry: FileEntry | undefined;
  readonly mayDelete: boolean;
  /** Moves the file to the bin. undefined: the service keeps no deleted files, so the user is asked first. */
  readonly onKeep: (() => void) | undefined;
  readonly onDeleted: () => void;
  /** Gets the focus after the file is deleted. */
  readonly focusAfter: RefObject<HTMLElement | null>;
}) {
  const kind = mediaKind(path);
  const openInWorkbench = useOpenInWorkbench();
  const [isMeasuring, setMeasuring] = useState(false);
  const address = fileAddress(path);
  return (
    <section className={styles.details} aria-label={`Details of ${path}`}>
      <div className={styles.head}>
        <h2>{nameOf(path)}</h2>
        <Link
          to="/files"
          search={({ file: _, ...rest }) => rest}
          resetScroll={false}
          aria-label="Close"
          className={`${buttonClass('quiet')}`}
        >
          <X />
        </Link>
      </div>
      <div className={styles.actions}>
        {kind !== 'other' && (
          <Button variant="primary" onClick={() => void openInWorkbench({ input: path } as ConversionRequest)}>
            <Clapperboard /> Convert…
          </Button>
        )}
        <LinkButton href={address()} download={nameOf(path)}>
          <Download /> Download
        </LinkButton>
        <ShareButton what={{ path }} name={nameOf(path)} />
        {(kind !== 'other' || mayDelete) && (
          <Menu label="More for this file">
            {kind !== 'other' && (
              <Button onClick={() => setMeasuring(true)}>
                <Gauge /> Measure…
              </Button>
            )}
            {mayDelete && onKeep !== undefined && (
              <Button variant="danger" onClick={onKeep}>
                <Trash2 /> Delete
              </Button>
            )}
            {mayDelete && onKeep === undefined && (
              <ConfirmButton
                label="Delete"
                icon={<Trash2 />}
                title={`Delete ${nameOf(path)}?`}
                action={() => client.removeFile(path)}
                onDone={onDeleted}
                focusAfter={focusAfter}
              >
                <p>The file is deleted permanently. A job that is already reading it continues.</p>
              </ConfirmButton>
            )}
          </Menu>
        )}
      </div>
      <SharedLinks what={{ path }} />
      {kind === 'other' ? null : (
        <MediaView label={path} kind={kind} address={address} playlist={async () => address()} />
      )}
      <div className={styles.path}>
        <p className={styles.soft}>
          {path}
          {kind === 'other' && entry?.sizeBytes !== undefined && ` · ${formatBytes(entry.sizeBytes)}`}
          {entry?.modifiedAt !== undefined && (
            <>
              {' · changed '}
              <Moment at={entry.modifiedAt} />
            </>
          )}
        </p>
        <CopyButton text={path} label="Copy the path" />
      </div>
      {kind !== 'other' && <MediaInfo path={path} />}
      {isMeasuring && <MeasureDialog path={path} onClose={() => setMeasuring(false)} />}
    </section>
  );
}
