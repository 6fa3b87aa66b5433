import { useEffect, useRef, useState } from 'react';
import { fileAddress } from '../media/media-address.ts';
import { Button } from '../ui/button.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import styles from './position-frame.module.css';

/** The width of the image that the service makes if the browser cannot play the video. */
const IMAGE_WIDTH = 640;
/** The service makes an image when the position has not changed for this time. */
const PAUSE_MS = 250;

interface Props {
  /** The path of a file in the media root. */
  readonly path: string;
  /** The time of a frame. */
  readonly at: number;
  /** The length of a frame, in seconds. */
  readonly frame: number;
  /** Called while the video plays. */
  readonly onMove: (at: number) => void;
}

/** The frame at a position of the source, and a button that plays from there. */
export function PositionFrame({ path, at, frame, onMove }: Props) {
  const video = useRef<HTMLVideoElement>(null);
  const [isPlayable, setPlayable] = useState(true);
  const [isPlaying, setPlaying] = useState(false);
  const settled = useDebounced(at, PAUSE_MS);
  const address = fileAddress(path);
  // The middle of the frame, because the time of the frame is rounded down, and the browser would show the frame before it.
  const middle = at + frame / 2;
  useEffect(() => {
    const { current } = video;
    // While it plays, the video moves the position.
    if (current !== null && Math.abs(current.currentTime - middle) > 0.001 && current.paused)
      current.currentTime = middle;
  }, [middle]);
  if (!isPlayable)
    return (
      <img
        className={styles.frame}
        src={address({ view: 'frame', at: settled, width: IMAGE_WIDTH })}
        alt={`Frame at the position in ${path}`}
      />
    );
  return (
    <div className={styles.player} data-playing={isPlaying}>
      <video
        ref={video}
        className={styles.frame}
        src={address()}
        aria-label={`Frame at the position in ${path}`}
        muted
        playsInline
        preload="auto"
        onLoadedMetadata={({ currentTarget }) => {
          // If the browser does not know the codec, a video can have metadata but no frames.
          if (currentTarget.videoWidth === 0) setPlayable(false);
          else currentTarget.currentTime = middle;
        }}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onTimeUpdate={({ currentTarget }) => {
          if (!currentTarget.paused) onMove(currentTarget.currentTime);
        }}
        onError={() => setPlayable(false)}
      />
      <Button
        variant="quiet"
        onClick={() => (isPlaying ? video.current?.pause() : void video.current?.play().catch(() => undefined))}
      >
        {isPlaying ? 'Pause' : 'Play'}
      </Button>
    </div>
  );
}
