import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import Volume2 from 'lucide-react/icons/volume-2';
import VolumeX from 'lucide-react/icons/volume-x';
import { type CSSProperties, type ReactNode, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { formatDuration } from '../ui/format.ts';
import styles from './audio-player.module.css';

/** Plays a sound. Its waveform shows the position, and a click in it seeks. */
export function AudioPlayer({
  label,
  src,
  waveform,
  onError,
}: {
  /** The name of the file for screen readers. */
  readonly label: string;
  readonly src: string;
  readonly waveform: ReactNode;
  /** The browser cannot play the file. */
  readonly onError: () => void;
}) {
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [isMuted, setMuted] = useState(false);
  const [at, setAt] = useState(0);
  const [duration, setDuration] = useState(0);
  const toggle = (): void => {
    const player = audio.current;
    if (player === null) return;
    // The browser rejects if the file cannot be played. `onError` says so too.
    if (player.paused) player.play().catch(() => {});
    else player.pause();
  };
  return (
    <div className={styles.player}>
      <div className={styles.wave} style={{ '--played': duration > 0 ? at / duration : 0 } as CSSProperties}>
        {waveform}
        <input
          type="range"
          aria-label={`Position in ${label}`}
          aria-valuetext={`${formatDuration(at)} of ${formatDuration(duration)}`}
          min={0}
          max={duration}
          step={0.1}
          value={Math.min(at, duration)}
          disabled={duration === 0}
          onChange={({ currentTarget: { valueAsNumber: to } }) => {
            setAt(to);
            if (audio.current !== null) audio.current.currentTime = to;
          }}
        />
      </div>
      <div className={styles.controls}>
        <Button aria-label={`${isPlaying ? 'Pause' : 'Play'} ${label}`} onClick={toggle}>
          {isPlaying ? <Pause /> : <Play />}
        </Button>
        <span className={styles.time}>
          {clock(at)} / {clock(duration)}
        </span>
        <Button variant="quiet" aria-label="Mute" aria-pressed={isMuted} onClick={() => setMuted(!isMuted)}>
          {isMuted ? <VolumeX /> : <Volume2 />}
        </Button>
      </div>
      <audio
        ref={audio}
        aria-label={label}
        src={src}
        preload="metadata"
        muted={isMuted}
        // A stream without a known end has no position to show.
        onDurationChange={({ currentTarget }) =>
          setDuration(Number.isFinite(currentTarget.duration) ? currentTarget.duration : 0)
        }
        onTimeUpdate={({ currentTarget }) => setAt(currentTarget.currentTime)}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onError={onError}
      />
    </div>
  );
}

/** `0:05`, `1:02:05`. Seconds alone would change their width. */
const clock = (seconds: number): string => {
  const whole = Math.floor(seconds);
  return whole < 60 ? `0:${String(whole).padStart(2, '0')}` : formatDuration(whole);
};
