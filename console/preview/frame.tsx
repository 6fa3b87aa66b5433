import { useEffect, useRef } from 'react';
import styles from './preview.module.css';

export interface FrameOf {
  readonly video: string;
  /** The URL of an image that the service makes of the file at this time. */
  readonly image: string;
  /** Seconds from the start of the file. */
  readonly at: number;
}

interface FrameProps extends FrameOf {
  /** undefined: another frame says the same. */
  readonly label: string | undefined;
  /** Whether the browser can play the video. Otherwise the image is shown. */
  readonly isPlayable: boolean;
  readonly onUnplayable: () => void;
  /** Called when a frame of the file can be seen. */
  readonly onShown?: (() => void) | undefined;
  /** Called when no frame of the file can be seen, not even as an image. */
  readonly onFailed?: (() => void) | undefined;
  readonly className?: string | undefined;
  readonly style?: React.CSSProperties;
}

/** Shows one frame of a video. */
export function Frame(props: FrameProps) {
  const { video, image, at, label, isPlayable, onUnplayable, onShown, onFailed, className, style } = props;
  const element = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const { current } = element;
    if (current !== null && isPlayable) current.currentTime = at;
  }, [at, isPlayable]);
  // A browser can draw the first frame of a video long before it says that the frame is loaded, for example while it seeks.
  const shown = useRef(onShown);
  shown.current = onShown;
  useEffect(() => {
    const { current } = element;
    const id = current?.requestVideoFrameCallback?.(() => shown.current?.());
    return () => {
      if (id !== undefined) current?.cancelVideoFrameCallback(id);
    };
  }, []);
  const classes = [styles.frame, className].filter(Boolean).join(' ');
  if (!isPlayable)
    return <img className={classes} style={style} src={image} alt={label ?? ''} onLoad={onShown} onError={onFailed} />;
  return (
    <video
      ref={element}
      className={classes}
      style={style}
      src={video}
      aria-label={label}
      aria-hidden={label === undefined}
      muted
      playsInline
      preload="auto"
      onLoadedMetadata={({ currentTarget }) => {
        // If the browser does not know the codec, a video can have metadata but no frames.
        if (currentTarget.videoWidth === 0) onUnplayable();
        else currentTarget.currentTime = at;
      }}
      onLoadedData={({ currentTarget }) => {
        if (currentTarget.videoWidth > 0) onShown?.();
      }}
      onError={onUnplayable}
    />
  );
}
