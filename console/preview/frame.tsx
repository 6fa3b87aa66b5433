import { useEffect, useRef } from 'react';
import styles from './preview.module.css';

/** A picture of a film at a time. */
export interface FrameOf {
  /** The address of the file. */
  readonly film: string;
  /** The address of a picture of the file at this time, made by the service. */
  readonly picture: string;
  /** Seconds from the start of the file. */
  readonly at: number;
}

interface FrameProps extends FrameOf {
  readonly label: string;
  /** Whether the browser plays the film. Otherwise the service makes the picture. */
  readonly isPlayable: boolean;
  readonly onUnplayable: () => void;
  readonly className?: string | undefined;
  readonly style?: React.CSSProperties;
}

/** Shows one frame of a film. */
export function Frame({ film, picture, at, label, isPlayable, onUnplayable, className, style }: FrameProps) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const { current } = video;
    if (current !== null && isPlayable) current.currentTime = at;
  }, [at, isPlayable]);
  const classes = [styles.frame, className].filter(Boolean).join(' ');
  if (!isPlayable) return <img className={classes} style={style} src={picture} alt={label} />;
  return (
    <video
      ref={video}
      className={classes}
      style={style}
      src={film}
      aria-label={label}
      muted
      playsInline
      preload="auto"
      onLoadedMetadata={({ currentTarget }) => {
        // A film whose codec the browser does not know can have metadata without a picture.
        if (currentTarget.videoWidth === 0) onUnplayable();
        else currentTarget.currentTime = at;
      }}
      onError={onUnplayable}
    />
  );
}
