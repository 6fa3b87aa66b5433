import { type ReactNode, useState } from 'react';
import { lazyComponent } from '../app/lazy-component.tsx';
import { AudioPlayer } from './audio-player.tsx';
import { type MediaAddress, PREVIEW_WIDTH } from './media-address.ts';
import type { MediaKind } from './media-kind.ts';
import styles from './media-view.module.css';

const HlsPlayer = lazyComponent(async () => (await import('./hls-player.tsx')).HlsPlayer);

interface Props {
  /** The name of the file for screen readers. */
  readonly label: string;
  readonly kind: MediaKind;
  readonly address: MediaAddress;
  /** Whether the file is known to have audio. */
  readonly hasAudio?: boolean;
  /** Returns the URL of a playlist. Relative URLs in the playlist must work. Needed for `hls`. */
  readonly playlist?: (() => Promise<string>) | undefined;
  /** The key of encrypted segments: its URL in the playlist, and the URL from which the browser gets it instead. */
  readonly segmentKey?: KeyAddress | undefined;
  /** The URL of the image before encrypted segments play. The service cannot render an image of them. */
  readonly poster?: string | undefined;
  /** The time of the frame that is shown before the video plays, in seconds. Default: one that is not black. `unknown`: none is shown yet. */
  readonly posterAt?: number | 'unknown' | undefined;
}

export interface KeyAddress {
  readonly inPlaylist: string;
  readonly own: string;
}

/** Shows a file in a player of the browser, or as an image that the service renders. Give it the path of the file as `key`. */
export function MediaView(props: Props) {
  switch (props.kind) {
    case 'image':
      return <Image {...props} />;
    case 'video':
      return <Video {...props} />;
    case 'audio':
      return <Audio {...props} />;
    case 'hls':
      return <Playlist {...props} />;
    case 'dash':
      return (
        <p className={styles.none}>
          This page cannot play DASH. Make a link to the manifest, and open it in a DASH player, such as VLC or dash.js.
        </p>
      );
    case 'other':
      return <p className={styles.none}>This kind of file has no preview.</p>;
  }
}

function Image({ label, address }: Props) {
  const [isRendered, setRendered] = useState(false);
  if (isRendered) return <Rendered label={label} address={address({ view: 'frame', width: PREVIEW_WIDTH })} />;
  return <img className={styles.media} src={address()} alt={label} onError={() => setRendered(true)} />;
}

function Video({ label, address, hasAudio = false, posterAt }: Props) {
  const [unplayable, setUnplayable] = useState<'all' | 'video'>();
  const [isSilent, setSilent] = useState(false);
  if (unplayable !== undefined)
    return (
      <Unplayable what={unplayable === 'all' ? 'the file' : 'its video, only its audio'}>
        <Rendered label={`Contact sheet of ${label}`} address={address({ view: 'sheet', width: PREVIEW_WIDTH })} />
      </Unplayable>
    );
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: the file has captions or not. */}
      <video
        className={styles.media}
        aria-label={label}
        src={address()}
        poster={posterOf(address, posterAt)}
        controls
        playsInline
        preload="metadata"
        // If a browser cannot decode the video, it plays the audio and reports no error.
        onLoadedMetadata={({ currentTarget }) => {
          if (currentTarget.videoWidth === 0) setUnplayable('video');
        }}
        onTimeUpdate={({ currentTarget }) => setSilent(hasAudio && isUndecoded(currentTarget))}
        onError={() => setUnplayable('all')}
      />
      {isSilent && <p className={styles.note}>This browser cannot play its audio, only its video.</p>}
    </>
  );
}

/** Without a time, the service takes a frame that is not black, from the middle of the video if possible. */
const posterOf = (address: MediaAddress, at: Props['posterAt']): string | undefined =>
  at === 'unknown' ? undefined : address({ view: 'frame', width: PREVIEW_WIDTH, ...(at !== undefined && { at }) });

/**
 * Whether no audio was decoded in the first second of playback. Only browsers based on Chromium report this. Other browsers count as playing
 * the audio.
 */
const isUndecoded = (video: HTMLVideoElement & { readonly webkitAudioDecodedByteCount?: number }): boolean =>
  video.currentTime > 1 && video.webkitAudioDecodedByteCount === 0;

function Audio({ label, address }: Props) {
  const [isUnplayable, setUnplayable] = useState(false);
  const waveform = <Rendered label={`Waveform of ${label}`} address={address({ view: 'waveform' })} isDrawing />;
  if (isUnplayable) return <Unplayable what="the file">{waveform}</Unplayable>;
  return <AudioPlayer label={label} src={address()} waveform={waveform} onError={() => setUnplayable(true)} />;
}

function Playlist({ label, address, playlist, segmentKey, poster, posterAt }: Props) {
  if (playlist === undefined) return <p className={styles.none}>A playlist without a job cannot be played here.</p>;
  return (
    <HlsPlayer
      fallback={<p className={styles.none}>Loading the player…</p>}
      label={label}
      poster={segmentKey === undefined ? posterOf(address, posterAt) : poster}
      playlist={playlist}
      segmentKey={segmentKey}
    />
  );
}

const Unplayable = ({ what, children }: { readonly what: string; readonly children: ReactNode }) => (
  <div className={styles.audio}>
    {children}
    <p className={styles.note}>This browser cannot play {what}. Download it to play it elsewhere.</p>
  </div>
);

/** An image that the service renders. If that fails, for example because the file is not media, shows a text. */
export function Rendered({
  label,
  address,
  isDrawing = false,
}: {
  readonly label: string;
  readonly address: string;
  /** Whether the image has a transparent background. */
  readonly isDrawing?: boolean;
}) {
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading');
  if (state === 'failed') return <p className={styles.none}>The service could not render a preview of this file.</p>;
  return (
    <>
      <img
        className={isDrawing ? styles.drawing : styles.media}
        src={address}
        alt={label}
        loading="lazy"
        onLoad={() => setState('loaded')}
        onError={() => setState('failed')}
      />
      {state === 'loading' && <p className={styles.note}>The service is rendering a preview of the file…</p>}
    </>
  );
}
