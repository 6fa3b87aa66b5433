import type { Job } from '@telecine/client';
import { useState } from 'react';
import { outputAddress } from '../media/media-address.ts';
import { mediaKind } from '../media/media-kind.ts';
import styles from './output-picture.module.css';

/** The width of the image that the service renders: twice the shown one, for screens with small pixels. */
const WIDTH = 192;

/** A small image of an output. It is empty if there is none, so that the lines of a list stay aligned. */
export function OutputPicture({
  job,
  output,
  isLarge = false,
}: {
  readonly job: Job;
  readonly output: NonNullable<Job['outputs']>[number] | undefined;
  readonly isLarge?: boolean;
}) {
  const [isMissing, setMissing] = useState(false);
  const address = output && outputAddress(job, output.path);
  const kind = output === undefined ? 'other' : mediaKind(output.path, output.streams);
  const isShown = !isMissing && address !== undefined && (kind === 'video' || kind === 'image' || kind === 'audio');
  const view = kind === 'audio' ? 'waveform' : 'frame';
  return (
    <span className={styles.picture} data-large={isLarge} data-kind={kind}>
      {isShown && (
        // The name of the output is beside it.
        <img
          src={address({ view, width: isLarge ? 2 * WIDTH : WIDTH })}
          alt=""
          loading="lazy"
          onError={() => setMissing(true)}
        />
      )}
    </span>
  );
}
