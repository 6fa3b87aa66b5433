import { useMutation } from '@tanstack/react-query';
import type { CreatedShare } from '@telecine/client';
import { client } from '../app/client.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Field } from '../ui/field.tsx';
import { FoldedCommand } from '../ui/folded-command.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { formatFullMoment } from '../ui/format.ts';
import { Moment } from '../ui/moment.tsx';
import styles from './upload-link-dialog.module.css';

const MEGABYTE = 1_000_000;
const DAY = 86_400;

/** How many files a link takes if the field is empty. */
const FILES = 100;

/** Reads a number from a form and multiplies it by `unit`. undefined: the field is empty. */
const numberOf = (form: FormData, name: string, unit: number): number | undefined => {
  const text = String(form.get(name) ?? '');
  return text === '' ? undefined : Math.round(Number(text) * unit);
};

/** Creates a link with which anyone can upload files into a folder. */
export function UploadLinkDialog({ folder, onClose }: { readonly folder: string; readonly onClose: () => void }) {
  const make = useMutation({
    mutationFn: (form: FormData): Promise<CreatedShare> => {
      const maxBytes = numberOf(form, 'maxBytes', MEGABYTE);
      const seconds = numberOf(form, 'seconds', DAY);
      return client.share({
        path: String(form.get('path')),
        files: numberOf(form, 'files', 1) ?? FILES,
        ...(maxBytes !== undefined && { maxBytes }),
        ...(seconds !== undefined && { seconds }),
      });
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
function CreatedLink({ link }: { readonly link: CreatedShare }) {
  const { url, path, files, expiresAt } = link;
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
        <dd>{files} files</dd>
        <dt>Stored in</dt>
        <dd>{path}</dd>
      </dl>
      <p>It opens a page in a browser. Under Operate, Shared links lists and revokes it.</p>
      <FoldedCommand summary="Show the command" label="Upload link" command={`curl -T FILE '${url}/files/'`} />
    </div>
  );
}

function LinkFields({ folder }: { readonly folder: string }) {
  return (
    <>
      <p className={styles.soft}>
        Anyone with the link can upload files into this folder, without a token. An empty size means the maximum of the
        service, and an empty time means 7 days. The new link shows the time.
      </p>
      <Field label="Path of the folder" name="path" required defaultValue={folder || 'uploads/'} />
      <div className={styles.limits}>
        <Field
          label="Largest size in MB"
          placeholder="such as 500"
          name="maxBytes"
          type="number"
          min="0.001"
          step="any"
        />
        <Field label="Valid for days" placeholder="such as 7" name="seconds" type="number" min="1" step="1" />
        <Field label="Files" placeholder="such as 100" name="files" type="number" min="1" step="1" />
      </div>
    </>
  );
}
