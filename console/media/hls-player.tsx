import Hls from 'hls.js';
import workerUrl from 'hls.js/dist/hls.worker.js?url';
import { useEffect, useRef, useState } from 'react';
import { formatBitRate } from '../ui/format.ts';
import styles from './hls-player.module.css';
import type { KeyAddress } from './media-view.tsx';

const TYPE = 'application/vnd.apple.mpegurl';

interface Props {
  readonly label: string;
  /** The URL of the image before the video plays. Many videos begin with a black frame. */
  readonly poster: string | undefined;
  readonly playlist: () => Promise<string>;
  readonly segmentKey?: KeyAddress | undefined;
}

/**
 * The name of the rendition that plays, such as `720p, 2,800 kbit/s`. undefined: a playlist without a master playlist does not state these
 * numbers.
 */
function renditionName({ height, bitrate }: { readonly height: number; readonly bitrate: number }): string | undefined {
  const parts = [height > 0 && `${height}p`, bitrate > 0 && formatBitRate(bitrate)].filter(Boolean);
  return parts.length === 0 ? undefined : parts.join(', ');
}

/** Plays HLS with hls.js. If the browser does not support hls.js, the browser itself plays it. */
export function HlsPlayer({ label, poster, playlist, segmentKey }: Props) {
  const video = useRef<HTMLVideoElement>(null);
  const [rendition, setRendition] = useState<string>();
  const [error, setError] = useState<string>();
  // Use the functions of the first render. The props have new functions at each render, but a player keeps its file
  // until its `key` changes.
  const source = useRef({ playlist, segmentKey });
  useEffect(() => {
    const element = video.current;
    if (element === null) return undefined;
    const { playlist, segmentKey } = source.current;
    const player = Hls.isSupported() ? hlsPlayer(segmentKey) : undefined;
    player?.on(Hls.Events.LEVEL_SWITCHED, (_event, { level }) => {
      const found = player.levels[level];
      setRendition(found && renditionName(found));
    });
    player?.on(Hls.Events.ERROR, (_event, { fatal, details, response }) => {
      if (fatal) setError(`${details}${response?.code === undefined ? '' : `, status ${response.code}`}`);
    });
    let isGone = false;
    playlist().then(
      (address) => {
        if (isGone) return;
        if (player !== undefined) {
          player.attachMedia(element);
          player.loadSource(address);
        } else if (element.canPlayType(TYPE) !== '') element.src = address;
        else setError('this browser cannot play HLS');
      },
      (failure: unknown) => setError(failure instanceof Error ? failure.message : String(failure)),
    );
    return () => {
      isGone = true;
      player?.destroy();
    };
  }, []);
  return (
    <div className={styles.player}>
      {/* biome-ignore lint/a11y/useMediaCaption: the video has captions or not. */}
      <video ref={video} aria-label={label} poster={poster} controls playsInline preload="metadata" />
      {rendition !== undefined && <p className={styles.rendition}>Playing {rendition}</p>}
      {error !== undefined && (
        <p role="alert" className={styles.error}>
          The playlist cannot be played: {error}.
        </p>
      )}
    </div>
  );
}

function hlsPlayer(segmentKey: KeyAddress | undefined): Hls {
  return new Hls({
    // Load the worker from a file, because the Content-Security-Policy does not allow workers from a blob.
    workerPath: workerUrl,
    // Seconds to load ahead. The first segment is enough to show a frame; later segments are loaded when the video
    // plays.
    maxBufferLength: 10,
    xhrSetup: (xhr, url) => {
      if (segmentKey !== undefined && (url === segmentKey.inPlaylist || url.endsWith(`/${segmentKey.inPlaylist}`)))
        xhr.open('GET', segmentKey.own, true);
    },
  });
}
