import { useMutation } from '@tanstack/react-query';
import type { UploadLink } from '@telecine/client';
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

/** Reads a number from a form and multiplies it by `unit`. undefined: the field is empty. */
const numberOf = (form: FormData, name: string, unit: number): number | undefined => {
  const text = String(form.get(name) ?? '');
  return text === '' ? undefined : Math.round(Number(text) * unit);
};

/** Creates a link with which anyone can upload one file, once. */
export function UploadLinkDialog({ folder, onClose }: { readonly folder: string; readonly onClose: () => void }) {
  const make = useMutation({
    mutationFn: (form: FormData) => {
      const maxBytes = numberOf(form, 'maxBytes', MEGABYTE);
      const seconds = numberOf(form, 'seconds', MINUTE);
      return client.uploadLink({
        path: String(form.get('path')),
        replace: form.get('replace') === 'on',
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
function CreatedLink({ link: { url, path, maxBytes, expiresAt } }: { readonly link: UploadLink }) {
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
        <dd>one file, once, of up to {formatBytes(maxBytes)}</dd>
        <dt>Stored as</dt>
        <dd>{path}</dd>
      </dl>
      <FoldedCommand summary="Show the command" label="Upload link" command={`curl -T FILE '${url}'`} />
    </div>
  );
}

function LinkFields({ folder }: { readonly folder: string }) {
  return (
    <>
      <p className={styles.soft}>
        Anyone with the link can upload one file to this path, once, without a token. An empty size or time means the
        maximum of the service. The new link shows it.
      </p>
      <Field label="Path of the file" name="path" required defaultValue={`${folder}upload.mov`} />
      <div className={styles.limits}>
        <Field
          label="Largest size in MB"
          placeholder="such as 500"
          name="maxBytes"
          type="number"
          min="0.001"
          step="any"
        />
        <Field label="Valid for minutes" placeholder="such as 60" name="seconds" type="number" min="1" step="1" />
      </div>
      <label className={styles.choice}>
        <input type="checkbox" name="replace" /> It may replace a file at this path
      </label>
    </>
  );
}
