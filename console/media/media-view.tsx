import { lazy, type ReactNode, Suspense, useState } from 'react';
import { loadPart } from '../app/load-part.ts';
import type { MediaAddress } from './media-address.ts';
import type { MediaKind } from './media-kind.ts';
import styles from './media-view.module.css';

const HlsPlayer = lazy(async () => ({ default: (await loadPart(() => import('./hls-player.tsx'))).HlsPlayer }));

/** The width of images that stand in for a video. */
const PREVIEW_WIDTH = 960;

interface Props {
  /** Names the file for people who do not see it. */
  readonly label: string;
  readonly kind: MediaKind;
  readonly address: MediaAddress;
  /** Whether the file is known to have audio. */
  readonly hasAudio?: boolean;
  /** Returns the address of a playlist under which its segments are found too. Needed for `hls`. */
  readonly playlist?: (() => Promise<string>) | undefined;
  /** The key of encrypted segments: its address in the playlist, and where the browser gets it instead. */
  readonly segmentKey?: KeyAddress | undefined;
}

export interface KeyAddress {
  readonly inPlaylist: string;
  readonly own: string;
}

/**
 * Shows a file of any kind: what the browser can play in its own player, the rest as an image that the service renders.
 * Give it a `key` that names the file.
 */
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
          This page does not play DASH. Open the manifest by a link in a player of DASH, such as VLC or dash.js.
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

function Video({ label, address, hasAudio = false }: Props) {
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
        // Many videos begin black: the poster is from the middle.
        poster={address({ view: 'frame', width: PREVIEW_WIDTH })}
        controls
        playsInline
        preload="metadata"
        // Browsers play the audio of a file whose video they cannot decode, and show nothing.
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

/** Whether no audio was decoded in a second of playing. Only browsers with the engine of Chrome say that; others are taken to play it. */
const isUndecoded = (video: HTMLVideoElement & { readonly webkitAudioDecodedByteCount?: number }): boolean =>
  video.currentTime > 1 && video.webkitAudioDecodedByteCount === 0;

function Audio({ label, address }: Props) {
  const [isUnplayable, setUnplayable] = useState(false);
  const waveform = <Rendered label={`Waveform of ${label}`} address={address({ view: 'waveform' })} isDrawing />;
  if (isUnplayable) return <Unplayable what="the file">{waveform}</Unplayable>;
  return (
    <div className={styles.audio}>
      {waveform}
      {/* biome-ignore lint/a11y/useMediaCaption: the file has captions or not. */}
      <audio aria-label={label} src={address()} controls preload="metadata" onError={() => setUnplayable(true)} />
    </div>
  );
}

function Playlist({ label, address, playlist, segmentKey }: Props) {
  if (playlist === undefined) return <p className={styles.none}>A playlist without a job cannot be played here.</p>;
  return (
    <Suspense fallback={<p className={styles.none}>Loading the player…</p>}>
      <HlsPlayer
        label={label}
        // The service renders no image of encrypted segments.
        poster={segmentKey === undefined ? address({ view: 'frame', width: PREVIEW_WIDTH }) : undefined}
        playlist={playlist}
        segmentKey={segmentKey}
      />
    </Suspense>
  );
}

const Unplayable = ({ what, children }: { readonly what: string; readonly children: ReactNode }) => (
  <div className={styles.audio}>
    {children}
    <p className={styles.note}>This browser cannot play {what}. Download it to play it elsewhere.</p>
  </div>
);

/** An image that the service renders. It says so if that fails, such as for a file that is not media. */
export function Rendered({
  label,
  address,
  isDrawing = false,
}: {
  readonly label: string;
  readonly address: string;
  /** Whether the ground is transparent. */
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
      {state === 'loading' && <p className={styles.note}>The service renders a preview of the file…</p>}
    </>
  );
}
