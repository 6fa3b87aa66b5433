import { useState } from 'react';
import { fileAddress } from '../media/media-address.ts';
import { Button } from '../ui/button.tsx';
import { StripNote } from './strip-note.tsx';
import { placeOf, stripAspect, THUMBNAILS, useThumbnailAspect } from './strip-thumbnails.ts';
import { middlesOf, type StripView } from './strip-view.ts';
import { type Bounds, frameAt } from './trim-range.ts';
import styles from './trim-strip.module.css';

/** The width of all thumbnails together: sharp on a screen with two pixels per point. */
const WIDTH = 1280;

interface Props {
  readonly path: string;
  /** The aspect ratio of the video. */
  readonly aspect: number;
  readonly bounds: Bounds;
  /** The part of the source that is shown. undefined: all of it. */
  readonly view: StripView | undefined;
}

/** The pictures of a strip: those of the whole source from one image, which the service keeps, and those of a zoomed view frame by frame. */
export function StripPictures({ path, aspect, bounds, view }: Props) {
  const thumbnail = useThumbnailAspect(aspect);
  const address = fileAddress(path);
  if (view === undefined)
    return (
      <Thumbnails
        src={address({ view: 'sheet', columns: THUMBNAILS, rows: 1, width: WIDTH })}
        aspect={aspect}
        thumbnail={thumbnail}
      />
    );
  return (
    <div className={styles.frames} style={{ aspectRatio: stripAspect(thumbnail) }}>
      {middlesOf(view, THUMBNAILS).map((middle) => (
        <img
          key={middle}
          ref={cancelWhenRemoved}
          src={address({ view: 'frame', at: frameAt(middle, bounds), width: WIDTH / THUMBNAILS })}
          alt=""
          draggable={false}
        />
      ))}
    </div>
  );
}

/** Without this, a browser continues to load an image that is removed, and the service to make it. */
const cancelWhenRemoved = (image: HTMLImageElement | null) => () =>
  queueMicrotask(() => image?.isConnected === false && image.removeAttribute('src'));

/** The thumbnails, in one image. They have their height before it is loaded, so that nothing below them moves. */
function Thumbnails({
  src,
  aspect,
  thumbnail,
}: {
  readonly src: string;
  readonly aspect: number;
  /** The aspect ratio in which each is shown. */
  readonly thumbnail: number;
}) {
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading');
  const isFailed = state === 'failed';
  const style = { aspectRatio: stripAspect(thumbnail) };
  const image = {
    src,
    draggable: false,
    'data-state': state,
    onLoad: () => setState('loaded'),
    onError: () => setState('failed'),
  };
  return (
    <div className={styles.sheet}>
      {isFailed ? (
        <div className={styles.thumbnails} style={style} />
      ) : thumbnail === aspect ? (
        <img {...image} alt="" ref={cancelWhenRemoved} className={styles.thumbnails} style={style} />
      ) : (
        <div className={styles.frames} style={style}>
          {Array.from({ length: THUMBNAILS }, (_, index) => (
            <img
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one image.
              key={index}
              // All show the same image, so the first one tells whether it is loaded.
              {...(index === 0 ? image : { src, draggable: false })}
              alt=""
              ref={cancelWhenRemoved}
              style={{ objectPosition: placeOf(index, aspect, thumbnail) }}
            />
          ))}
        </div>
      )}
      {state === 'loading' && <StripNote />}
      {isFailed && (
        <p role="alert" className={styles.failed}>
          The film strip could not be made.{' '}
          <Button
            variant="quiet"
            onPointerDown={(event) => event.stopPropagation()}
            onClick={() => setState('loading')}
          >
            Try again
          </Button>
        </p>
      )}
    </div>
  );
}
