import type { Job } from '@telecine/client';
import { extensionOf } from '../files/file-list.ts';
import { outputAddress } from '../media/media-address.ts';
import { mediaKind } from '../media/media-kind.ts';
import { Thumbnail } from '../media/thumbnail.tsx';
import styles from './output-picture.module.css';

/** The width of the image that the service renders: twice the shown one, for screens with small pixels. */
const WIDTH = 192;

/** A small image of an output, or its extension if there is none, so that the lines of a list stay aligned. */
export function OutputPicture({
  job,
  output,
  isLarge = false,
}: {
  readonly job: Job;
  readonly output: NonNullable<Job['outputs']>[number] | undefined;
  readonly isLarge?: boolean;
}) {
  const className = `${styles.picture} ${isLarge ? styles.large : ''}`;
  const address = output && outputAddress(job, output.path);
  if (output === undefined || address === undefined) return <span className={className} />;
  return (
    <Thumbnail
      kind={mediaKind(output.path, output.streams)}
      address={address}
      width={isLarge ? 2 * WIDTH : WIDTH}
      version={job.completedAt}
      label={extensionOf(output.path)}
      className={className}
    />
  );
}
