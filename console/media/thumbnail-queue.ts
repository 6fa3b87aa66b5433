/** An image that waits for its turn to load. */
export interface WaitingImage {
  /** Starts to load. Calls `onEnd` when it has loaded or failed. */
  start(onEnd: () => void): void;
}

/** How many images load at the same time. The service renders each with ffmpeg, and other requests of the page need connections. */
const AT_ONCE = 4;

/**
 * Loads images in the order in which they are added, a few at a time. `add` returns a function that takes the image out: call it when the
 * image is no longer shown.
 */
export function thumbnailQueue(atOnce = AT_ONCE) {
  const waiting = new Set<WaitingImage>();
  const running = new Set<WaitingImage>();
  const next = (): void => {
    for (const image of waiting) {
      if (running.size >= atOnce) return;
      waiting.delete(image);
      running.add(image);
      image.start(() => end(image));
    }
  };
  const end = (image: WaitingImage): void => {
    waiting.delete(image);
    if (running.delete(image)) next();
  };
  return {
    add: (image: WaitingImage): (() => void) => {
      waiting.add(image);
      next();
      return () => end(image);
    },
  };
}
