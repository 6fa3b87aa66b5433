import { useEffect, useRef } from 'react';
import { watchSight } from '../ui/watch-sight.ts';
import { fetchImage } from './fetch-image.ts';
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
  onReply,
}: {
  readonly kind: MediaKind;
  readonly address: MediaAddress;
  readonly width: number;
  /** A text that changes with the content of the file. */
  readonly version?: string | undefined;
  /** A few letters, such as the extension. */
  readonly label?: string;
  readonly className?: string | undefined;
  /** Receives the header fields of the image, which an image element does not tell. Without it, the browser loads the image itself. */
  readonly onReply?: ((headers: Headers) => void) | undefined;
}) {
  const reply = useRef(onReply);
  reply.current = onReply;
  const frame = useRef<HTMLSpanElement>(null);
  const urls = VIEWS[kind].map((view) => address({ ...view, width }));
  const key = urls.join(' ');
  useEffect(() => {
    const element = frame.current;
    if (element === null || key === '') return undefined;
    return showWhenSeen(element, key.split(' '), version, reply.current);
  }, [key, version]);
  return (
    <span ref={frame} className={`${styles.frame} ${className}`} aria-hidden="true" data-label={label.slice(0, 5)} />
  );
}

/** Loads the first of `urls` that has an image, once the element is in sight. Returns a function that stops it. */
function showWhenSeen(
  element: HTMLElement,
  urls: readonly string[],
  version: string,
  onReply: ((headers: Headers) => void) | undefined,
): () => void {
  let leave = (): void => {};
  let image: HTMLImageElement | undefined;
  const ended = new AbortController();
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
    if (onReply === undefined) loading.src = url;
    else void loadReply(loading, url, onReply, ended.signal);
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
    ended.abort();
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

/** Loads an image by a request whose header fields can be read. */
async function loadReply(
  image: HTMLImageElement,
  url: string,
  onReply: (headers: Headers) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    const { headers, content } = await fetchImage(url, signal);
    onReply(headers);
    const address = URL.createObjectURL(content);
    // The image keeps its content after it has loaded.
    for (const end of ['load', 'error']) image.addEventListener(end, () => URL.revokeObjectURL(address));
    image.src = address;
  } catch {
    if (!signal.aborted) image.dispatchEvent(new Event('error'));
  }
}
