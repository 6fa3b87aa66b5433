import { useMutation } from '@tanstack/react-query';
import type { CreatedShare, UploadLink } from '@telecine/client';
import { useState } from 'react';
import { client } from '../app/client.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Field } from '../ui/field.tsx';
import { FoldedCommand } from '../ui/folded-command.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { formatBytes, formatFullMoment } from '../ui/format.ts';
import { Moment } from '../ui/moment.tsx';
import styles from './upload-link-dialog.module.css';

const MEGABYTE = 1_000_000;
const MINUTE = 60;
const DAY = 86_400;

/** How many files a link to a folder takes if the field is empty. */
const FILES = 100;

/** Reads a number from a form and multiplies it by `unit`. undefined: the field is empty. */
const numberOf = (form: FormData, name: string, unit: number): number | undefined => {
  const text = String(form.get(name) ?? '');
  return text === '' ? undefined : Math.round(Number(text) * unit);
};

/** Creates a link with which anyone can upload one file, once, or files into a folder. */
export function UploadLinkDialog({ folder, onClose }: { readonly folder: string; readonly onClose: () => void }) {
  const make = useMutation({
    mutationFn: (form: FormData): Promise<UploadLink | CreatedShare> => {
      const maxBytes = numberOf(form, 'maxBytes', MEGABYTE);
      const path = String(form.get('path'));
      const isFolder = path.endsWith('/');
      const seconds = numberOf(form, 'seconds', isFolder ? DAY : MINUTE);
      const terms = { path, ...(maxBytes !== undefined && { maxBytes }), ...(seconds !== undefined && { seconds }) };
      return isFolder
        ? client.share({ ...terms, files: numberOf(form, 'files', 1) ?? FILES })
        : client.uploadLink({ ...terms, replace: form.get('replace') === 'on' });
    },
  });
  const { data: link } = make;
  return (
    <FormDialog
      title={link === undefined ? 'Upload link' : 'The link is ready'}
      action={link === undefined ? 'Create the link' : 'Create another'}
      isPending={make.isPending}
      isDone={link !== undefined}
      error={make.error}
      onSend={(form) => (link === undefined ? make.mutate(form) : make.reset())}
      onClose={onClose}
    >
      {link === undefined ? <LinkFields folder={folder} /> : <CreatedLink link={link} />}
    </FormDialog>
  );
}

/** The new link takes the place of the form: it is what the user copies next. */
function CreatedLink({ link }: { readonly link: UploadLink | CreatedShare }) {
  const { url, path, expiresAt } = link;
  const files = 'files' in link ? link.files : undefined;
  return (
    <div className={styles.link}>
      <p className="visually-hidden" role="status">
        The link was made.
      </p>
      <div className={styles.copy}>
        <input aria-label="Link" readOnly value={url} onFocus={({ currentTarget }) => currentTarget.select()} />
        <CopyButton key={url} text={url} label="Copy the link" isNext />
      </div>
      <dl className={styles.facts}>
        <dt>Valid until</dt>
        <dd>
          {formatFullMoment(expiresAt)} (<Moment at={expiresAt} />)
        </dd>
        <dt>Takes</dt>
        <dd>{'maxBytes' in link ? `one file, once, of up to ${formatBytes(link.maxBytes)}` : `${files} files`}</dd>
        <dt>Stored {files === undefined ? 'as' : 'in'}</dt>
        <dd>{path}</dd>
      </dl>
      {files === undefined ? (
        <FoldedCommand summary="Show the command" label="Upload link" command={`curl -T FILE '${url}'`} />
      ) : (
        <p>It opens a page in a browser. Under Operate, Shared links lists and revokes it.</p>
      )}
    </div>
  );
}

function LinkFields({ folder }: { readonly folder: string }) {
  const [path, setPath] = useState(`${folder}upload.mov`);
  const isFolder = path.endsWith('/');
  return (
    <>
      <p className={styles.soft}>
        {isFolder
          ? 'Anyone with the link can upload files into this folder, without a token. An empty size means the maximum of the service, and an empty time means 7 days. The new link shows the time.'
          : 'Anyone with the link can upload one file to this path, once, without a token. An empty size or time means the maximum of the service. The new link shows it. If the path ends in a slash, the link takes many files into that folder.'}
      </p>
      <Field
        label="Path of the file or folder"
        name="path"
        required
        value={path}
        onChange={({ currentTarget }) => setPath(currentTarget.value)}
      />
      <div className={styles.limits}>
        <Field
          label="Largest size in MB"
          placeholder="such as 500"
          name="maxBytes"
          type="number"
          min="0.001"
          step="any"
        />
        <Field
          label={isFolder ? 'Valid for days' : 'Valid for minutes'}
          placeholder={isFolder ? 'such as 7' : 'such as 60'}
          name="seconds"
          type="number"
          min="1"
          step="1"
        />
        {isFolder && <Field label="Files" placeholder="such as 100" name="files" type="number" min="1" step="1" />}
      </div>
      {!isFolder && (
        <label className={styles.choice}>
          <input type="checkbox" name="replace" /> It may replace a file at this path
        </label>
      )}
    </>
  );
}
