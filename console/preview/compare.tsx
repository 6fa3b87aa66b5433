import Maximize from 'lucide-react/icons/maximize';
import { type CSSProperties, useId, useRef, useState } from 'react';
import { clockText } from '../trim/trim-time.ts';
import { Button } from '../ui/button.tsx';
import note from '../ui/picture-note.module.css';
import { StepButton } from '../ui/step-button.tsx';
import { Frame, type FrameOf } from './frame.tsx';
import styles from './preview.module.css';

interface CompareProps {
  /** What is before the line. Default: the source. */
  readonly name?: string;
  /** Returns the URLs of the source and of the result. `at`: seconds from the start of the part. */
  readonly before: (at: number) => FrameOf;
  /** undefined: there is no result yet. */
  readonly after: ((at: number) => FrameOf) | undefined;
  /** Called when a frame of the result can be seen, or cannot be shown at all. */
  readonly onAfterShown?: () => void;
  /** A frame of the result that is shown until the result has loaded. */
  readonly until?: FrameOf | undefined;
  readonly width: number;
  readonly height: number;
  /** The number of frames in the part. 1 for an image. */
  readonly frames: number;
  readonly fps: number;
  /** The time that is said at the first frame, in seconds. */
  readonly offset?: number;
  /** The frame that is shown first. */
  readonly first?: number;
  /** Whether the result is shown whole until the user moves the line, which would divide words in the picture. */
  readonly isResultWhole?: boolean;
}

/** Shows the source and the result on top of each other, frame by frame. The user moves the line between them. Until there is a result, shows the source. */
export function Compare({
  name = 'Source',
  before,
  after,
  onAfterShown,
  until,
  width,
  height,
  frames,
  fps,
  offset = 0,
  first = 0,
  isResultWhole = false,
}: CompareProps) {
  const id = useId();
  const all = useRef<HTMLDivElement>(null);
  const [chosen, setSplit] = useState<number>();
  const split = chosen ?? (isResultWhole ? 0 : 50);
  const [frame, setFrame] = useState(first);
  // If the browser cannot play a video, show images that the service makes.
  const [plays, setPlays] = useState({ before: true, after: true });
  // The file of the result that can be seen.
  const [loaded, setLoaded] = useState<string>();
  // The file before the line, and whether it can be seen.
  const [ready, setReady] = useState<{ readonly video: string; readonly isShown: boolean }>();
  const shown = Math.min(frame, frames - 1);
  // Use the time of the middle of a frame, so that rounding never shows the frame before or after it.
  const at = frames === 1 ? 0 : (shown + 0.5) / fps;
  const time = clockText(offset + shown / fps);
  const result = after?.(at);
  const isLoaded = result !== undefined && result.video === loaded;
  const results = [isLoaded ? undefined : until, result].filter((one) => one !== undefined);
  const beforeState = ready?.video === before(at).video ? ready : undefined;
  const isResultSeen = result === undefined || isLoaded || until !== undefined;
  const waiting =
    beforeState?.isShown === false
      ? 'The picture cannot be shown.'
      : beforeState === undefined || !isResultSeen
        ? 'Loading the picture…'
        : undefined;
  const step = (by: number) => setFrame(shown + by);
  return (
    <div ref={all} className={styles.compare}>
      <div className={styles.stage} style={{ '--ratio': width / height, '--split': `${split}%` } as CSSProperties}>
        <Frame
          {...before(at)}
          key={before(at).video}
          label={name}
          isPlayable={plays.before}
          onUnplayable={() => setPlays((now) => ({ ...now, before: false }))}
          onShown={() => setReady({ video: before(at).video, isShown: true })}
          onFailed={() => setReady({ video: before(at).video, isShown: false })}
        />
        {results.map((one) => (
          <Frame
            {...one}
            // A frame that is shown until the result has loaded was the result before, and must not load again.
            key={one.video}
            label={one === result ? 'Result' : undefined}
            className={styles.after}
            isPlayable={plays.after}
            onUnplayable={() => setPlays((now) => ({ ...now, after: false }))}
            onShown={() => {
              setLoaded(one.video);
              onAfterShown?.();
            }}
            onFailed={onAfterShown}
          />
        ))}
        {waiting !== undefined && (
          <p role="status" className={`${note.note} ${styles.waiting}`}>
            {waiting}
          </p>
        )}
        {(result === undefined || split > 0) && (
          <span className={styles.nameBefore} aria-hidden="true">
            {name}
          </span>
        )}
        {result !== undefined && (
          <>
            <span className={styles.line} aria-hidden="true" />
            {split < 100 && (
              <span className={styles.nameAfter} aria-hidden="true">
                Result
              </span>
            )}
            {/* The slider covers the frames, so that dragging anywhere moves the line. */}
            <input
              className={styles.split}
              type="range"
              min={0}
              max={100}
              value={split}
              aria-label={`Line between ${name.toLowerCase()} and result`}
              aria-valuetext={`${split} % ${name.toLowerCase()}`}
              onChange={({ currentTarget }) => setSplit(Number(currentTarget.value))}
            />
          </>
        )}
      </div>
      {frames > 1 && (
        <div className={styles.frames}>
          <label htmlFor={id}>Frame</label>
          <StepButton to="previous" label="Previous frame" isAtEnd={shown === 0} onStep={() => step(-1)} />
          <input
            id={id}
            className={styles.range}
            type="range"
            min={0}
            max={frames - 1}
            value={shown}
            aria-valuetext={`${time}, frame ${shown + 1} of ${frames}`}
            onChange={({ currentTarget }) => setFrame(Number(currentTarget.value))}
          />
          <StepButton to="next" label="Next frame" isAtEnd={shown === frames - 1} onStep={() => step(1)} />
          <output className={styles.count} htmlFor={id}>
            {time} · {shown + 1}&nbsp;/&nbsp;{frames}
          </output>
          {document.fullscreenEnabled && (
            <Button
              variant="quiet"
              aria-label="Full screen"
              onClick={() =>
                void (document.fullscreenElement === null
                  ? all.current?.requestFullscreen()
                  : document.exitFullscreen())
              }
            >
              <Maximize />
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
