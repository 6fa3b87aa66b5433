import { useEffect, useRef } from 'react';
import type { MediaAddress } from './media-address.ts';
import type { MediaKind } from './media-kind.ts';
import styles from './thumbnail.module.css';
import { thumbnailQueue } from './thumbnail-queue.ts';

const QUEUE = thumbnailQueue();

/** How long an image must be in sight before it loads, in ms, so that fast scrolling renders nothing. */
const DELAY_MS = 150;

/** Images that the service could not render, by their URL and the version of the file. They are not requested again. */
const FAILED = new Set<string>();

/**
 * The images of a file, in the order in which they are tried. Of a video: a frame near the beginning, for which the service reads little of
 * a file in an object store, then one of its middle. Of an audio file: its cover, then its waveform.
 */
const VIEWS: Readonly<Record<MediaKind, readonly NonNullable<Parameters<MediaAddress>[0]>[]>> = {
  video: [{ view: 'frame', at: 3 }, { view: 'frame' }],
  image: [{ view: 'frame' }],
  audio: [{ view: 'frame' }, { view: 'waveform' }],
  hls: [{ view: 'frame' }],
  dash: [{ view: 'frame' }],
  other: [],
};

/**
 * A small image of a file: a frame of a video, the cover or the waveform of an audio file. It loads when it is in sight. If there is
 * none, it shows `label`.
 */
export function Thumbnail({
  kind,
  address,
  width,
  version = '',
  label = '',
  className = '',
}: {
  readonly kind: MediaKind;
  readonly address: MediaAddress;
  readonly width: number;
  /** A text that changes with the content of the file. */
  readonly version?: string | undefined;
  /** A few letters, such as the extension. */
  readonly label?: string;
  readonly className?: string | undefined;
}) {
  const frame = useRef<HTMLSpanElement>(null);
  const urls = VIEWS[kind].map((view) => address({ ...view, width }));
  const key = urls.join(' ');
  useEffect(() => {
    const element = frame.current;
    return element === null || key === '' ? undefined : showWhenSeen(element, key.split(' '), version);
  }, [key, version]);
  return (
    <span ref={frame} className={`${styles.frame} ${className}`} aria-hidden="true" data-label={label.slice(0, 5)} />
  );
}

/** Loads the first of `urls` that has an image, once the element is in sight. Returns a function that stops it. */
function showWhenSeen(element: HTMLElement, urls: readonly string[], version: string): () => void {
  let leave = (): void => {};
  let image: HTMLImageElement | undefined;
  element.dataset['loading'] = 'true';
  const load = (onEnd: () => void): void => {
    const url = urls.find((one) => !FAILED.has(`${one} ${version}`));
    if (url === undefined) {
      delete element.dataset['loading'];
      onEnd();
      return;
    }
    const loading = new Image();
    image = loading;
    loading.alt = '';
    loading.decoding = 'async';
    loading.dataset['view'] = url.includes('view=waveform') ? 'waveform' : 'frame';
    loading.onload = () => {
      delete element.dataset['loading'];
      element.replaceChildren(loading);
      onEnd();
    };
    loading.onerror = () => {
      FAILED.add(`${url} ${version}`);
      load(onEnd);
    };
    loading.src = url;
  };
  const unwatch = watchSight(element, (isInSight) => {
    leave();
    if (!isInSight) return;
    const timer = setTimeout(() => {
      unwatch();
      leave = QUEUE.add({ start: load });
    }, DELAY_MS);
    leave = () => clearTimeout(timer);
  });
  return () => {
    unwatch();
    if (image !== undefined) {
      // Without a source, the browser ends the request, and the service stops rendering.
      image.onload = null;
      image.onerror = null;
      image.removeAttribute('src');
    }
    leave();
    delete element.dataset['loading'];
    element.replaceChildren();
  };
}

/** What to call when an element comes into sight or leaves it. */
const WATCHED = new WeakMap<Element, (isInSight: boolean) => void>();

let observer: IntersectionObserver | undefined;

/** Calls `onChange` when an element comes into sight or leaves it. All elements share one observer: scrolling adds many. */
function watchSight(element: Element, onChange: (isInSight: boolean) => void): () => void {
  observer ??= new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) WATCHED.get(target)?.(isIntersecting);
  });
  WATCHED.set(element, onChange);
  observer.observe(element);
  return () => {
    WATCHED.delete(element);
    observer?.unobserve(element);
  };
}
