import { useEffect, useRef } from 'react';
import styles from './preview.module.css';

/** One frame of a video. */
export interface FrameOf {
  /** The address of the file. */
  readonly video: string;
  /** The address of an image of the file at this time, made by the service. */
  readonly image: string;
  /** Seconds from the start of the file. */
  readonly at: number;
}

interface FrameProps extends FrameOf {
  readonly label: string;
  /** Whether the browser plays the video. Otherwise the service makes the image. */
  readonly isPlayable: boolean;
  readonly onUnplayable: () => void;
  readonly className?: string | undefined;
  readonly style?: React.CSSProperties;
}

/** Shows one frame of a video. */
export function Frame({ video, image, at, label, isPlayable, onUnplayable, className, style }: FrameProps) {
  const element = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const { current } = element;
    if (current !== null && isPlayable) current.currentTime = at;
  }, [at, isPlayable]);
  const classes = [styles.frame, className].filter(Boolean).join(' ');
  if (!isPlayable) return <img className={classes} style={style} src={image} alt={label} />;
  return (
    <video
      ref={element}
      className={classes}
      style={style}
      src={video}
      aria-label={label}
      muted
      playsInline
      preload="auto"
      onLoadedMetadata={({ currentTarget }) => {
        // A video whose codec the browser does not know can have metadata without frames.
        if (currentTarget.videoWidth === 0) onUnplayable();
        else currentTarget.currentTime = at;
      }}
      onError={onUnplayable}
    />
  );
}
