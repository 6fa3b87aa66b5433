import type { Job } from '@telecine/client';
import { extensionOf } from '../files/file-list.ts';
import { outputAddress } from '../media/media-address.ts';
import { mediaKind } from '../media/media-kind.ts';
import { Thumbnail } from '../media/thumbnail.tsx';
import styles from './output-picture.module.css';

/**
 * The width of the image that the service renders: twice the larger of the shown ones, for screens with small pixels. All places of a page use
 * the same image, because the service renders one after the other.
 */
const WIDTH = 384;

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
      width={WIDTH}
      version={job.completedAt}
      label={extensionOf(output.path)}
      className={className}
    />
  );
}
