import type { Job } from '@telecine/client';
import { extensionOf } from '../files/file-list.ts';
import { fileAddress, isStored, outputAddress } from '../media/media-address.ts';
import { type MediaKind, mediaKind } from '../media/media-kind.ts';
import { Thumbnail } from '../media/thumbnail.tsx';
import { firstInput } from './job-names.ts';

/** The width of a thumbnail in pixels, for screens with two pixels per point. */
const WIDTH = 96;

/** A frame of the first output of a job, or of its input while it has none. */
export function JobThumbnail({
  job,
  mayReadInputs,
  className,
}: {
  readonly job: Job;
  /** Whether the inputs of the job are files of the signed-in client. */
  readonly mayReadInputs: boolean;
  readonly className: string | undefined;
}) {
  const shown = shownFile(job, mayReadInputs);
  if (shown === undefined) return <span className={className} />;
  const { path, kind, address } = shown;
  return (
    <Thumbnail
      kind={kind}
      address={address}
      width={WIDTH}
      version={job.completedAt ?? ''}
      label={extensionOf(path)}
      className={className}
    />
  );
}

const canShow = (kind: MediaKind): boolean => kind !== 'other' && kind !== 'dash';

function shownFile(job: Job, mayReadInputs: boolean) {
  for (const { path } of job.outputs?.slice(0, 3) ?? []) {
    const kind = mediaKind(path);
    const address = outputAddress(job, path);
    if (address !== undefined && canShow(kind)) return { path, kind, address };
  }
  const input = firstInput(job);
  const kind = mediaKind(input);
  return mayReadInputs && isStored(input) && canShow(kind)
    ? { path: input, kind, address: fileAddress(input) }
    : undefined;
}
