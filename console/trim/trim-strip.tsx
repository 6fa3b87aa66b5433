import X from 'lucide-react/icons/x';
import ZoomIn from 'lucide-react/icons/zoom-in';
import ZoomOut from 'lucide-react/icons/zoom-out';
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { fileAddress } from '../media/media-address.ts';
import { Button } from '../ui/button.tsx';
import { isTyping } from '../ui/is-typing.ts';
import { StepButton } from '../ui/step-button.tsx';
import { type Movement, useDrag } from '../ui/use-drag.ts';
import { copyStarts, isAtKeyFrame, nextStart, snapTime, startIndex } from './key-frames.ts';
import { PositionFrame } from './position-frame.tsx';
import { StripNote } from './strip-note.tsx';
import { stripAspect, useThumbnailCount } from './strip-thumbnails.ts';
import {
  followedTo,
  isInView,
  middlesOf,
  type StripView,
  shareOf,
  timeAt,
  wholeView,
  zoomedIn,
  zoomedOut,
} from './strip-view.ts';
import {
  type Bounds,
  firstFrameOf,
  frameAt,
  frameSeconds,
  frameShownAt,
  lastFrameOf,
  moveEnd,
  moveStart,
  type Range,
  stepTo,
} from './trim-range.ts';
import styles from './trim-strip.module.css';
import { clockText } from './trim-time.ts';
import { useKeyFrames } from './use-key-frames.ts';

/** The width of all thumbnails together: sharp on a screen with two pixels per point. */
const WIDTH = 1280;

interface Props {
  /** The path of a file in the media root. */
  readonly path: string;
  readonly range: Range;
  readonly bounds: Bounds;
  readonly hasVideo: boolean;
  readonly hasAudio: boolean;
  /** The aspect ratio of the video. */
  readonly aspect: number;
  /** Whether only the start is chosen: the time of an image. */
  readonly isPoint: boolean;
  /** Whether the user has chosen the time of an image. Otherwise the recipe chooses it. */
  readonly isChosen: boolean;
  /** Whether the video is copied. A copy begins at a key frame. */
  readonly isCopied: boolean;
  /** The names of the container. */
  readonly formats: readonly string[];
  /** What the range belongs to. If this changes, so does the range, and nobody has chosen a time. */
  readonly owner: string;
  readonly onChange: (range: Range) => void;
  /** All parts that the job keeps, if it keeps several. `range` is the selected part. */
  readonly list?: PartList | undefined;
  /** Keeps a further part. undefined: only one can be kept. */
  readonly onAdd?: (() => void) | undefined;
}

export interface PartList {
  readonly parts: readonly Range[];
  readonly selected: number;
  readonly onSelect: (index: number) => void;
  readonly onRemove: (index: number) => void;
}

type Point = 'start' | 'end' | 'position';

const ZOOMS = [
  { label: 'Zoom in', icon: <ZoomIn />, zoomed: zoomedIn },
  { label: 'Zoom out', icon: <ZoomOut />, zoomed: zoomedOut },
] as const;

type PressedKey = Pick<KeyboardEvent, 'key' | 'shiftKey'>;

/** A drag of the pointer. `from`: the time of the handle that the user grabbed. undefined: the user pressed the strip beside the handles. */
interface Grabbed {
  readonly point: Point;
  readonly from?: number;
}

/** Thumbnails and waveform of a source, on which the user chooses a part by mouse, touch or keys. */
export function TrimStrip(props: Props) {
  const { path, range, bounds, hasVideo, hasAudio, aspect, isPoint, isChosen, isCopied, formats } = props;
  const { owner, onChange, list, onAdd } = props;
  const track = useRef<HTMLDivElement>(null);
  /** The time that the picture shows. undefined: the user has not moved anything. */
  const [at, setAt] = useState<number>();
  const { duration } = bounds;
  const [zoom, setZoom] = useState<StripView>();
  const view = zoom ?? wholeView(duration);
  const isWhole = zoom === undefined;
  const show = (to: number): void => {
    setAt(to);
    setZoom(zoom && followedTo(zoom, to, duration));
  };
  const frame = frameSeconds(bounds);
  const position = Math.min(at ?? range.start, duration);
  const snap = useSnap(path, range, { formats, isWanted: isCopied && !isPoint }, (start) => {
    show(start);
    onChange(moveStart(range, start, bounds));
  });
  /** Shows the first or the last frame of the part. */
  const showFrameOf = (point: 'start' | 'end', { start, end }: Range): void =>
    show(point === 'end' ? lastFrameOf(end, bounds) : hasVideo ? firstFrameOf(start, bounds) : start);
  const isTimeTyped = useTypedTimes(range, owner, showFrameOf);
  const move = (point: Point, to: number): void => {
    if (point === 'position') {
      show(to);
      return;
    }
    const next = isPoint ? { start: to, end: duration } : (point === 'start' ? moveStart : moveEnd)(range, to, bounds);
    showFrameOf(point, next);
    onChange(next);
  };
  const step = (point: Point, from: number, key: PressedKey): boolean => {
    const toKey = point === 'start' ? snap.keyTime(key) : undefined;
    const to = toKey ?? stepTo(from, key.key, key.shiftKey, bounds);
    if (to === undefined) return false;
    move(point, to);
    if (point === 'start') snap.request(to);
    return true;
  };
  const stepByKey = (point: Point, event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step(point, point === 'position' ? position : range[point], event)) event.preventDefault();
  };
  const shown = frameShownAt(position, bounds);
  const stepByButton = (key: 'ArrowLeft' | 'ArrowRight') => void step('position', shown, { key, shiftKey: false });
  const startHere = (): void => {
    move('start', shown);
    snap.request(shown);
  };
  const endHere = (): void => move('end', frameAt(shown + frame, bounds));
  const timeOf = ({ from }: Grabbed, { at, by }: Movement): number => {
    // A press alone moves no handle: a typed time need not be that of a frame.
    if (from !== undefined && by.x === 0) return from;
    // A handle stays under the pointer where it was grabbed.
    return frameAt(timeAt(view, from === undefined ? at.x : (from - view.from) / view.length + by.x), bounds);
  };
  const drag = useDrag<Grabbed>(track, {
    // A press beside the handles moves the position there.
    start: (grabbed, movement) => grabbed.from === undefined && move(grabbed.point, timeOf(grabbed, movement)),
    move: (grabbed, movement) => move(grabbed.point, timeOf(grabbed, movement)),
    end: (grabbed, movement) =>
      grabbed.point === 'start' && movement.by.x !== 0 && snap.request(timeOf(grabbed, movement)),
  });
  const percent = (seconds: number): string => `${shareOf(view, seconds) * 100}%`;
  const address = fileAddress(path);
  const thumbnails = useThumbnailCount();
  const slider = { max: duration, view, onStep: stepByKey, onGrab: drag } as const;
  const stepLabel = (way: string): string => `${way} by a ${hasVideo ? 'frame' : 'step'}`;
  return (
    <div
      role="group"
      // A press on the strip, or on a button in a browser that does not focus buttons, shows the picture too.
      tabIndex={-1}
      aria-label={isPoint ? `Time in ${path}` : `Part of ${path}`}
      className={styles.strip}
      onKeyDown={({ key, ctrlKey, metaKey, altKey }) => {
        if (ctrlKey || metaKey || altKey) return;
        if (key.toLowerCase() === 'i') startHere();
        if (key.toLowerCase() === 'o' && !isPoint) endHere();
      }}
    >
      <div
        ref={track}
        className={styles.track}
        data-whole={!isPoint && list === undefined && range.start <= 0 && range.end >= duration}
        onPointerDown={(event) => drag(event, { point: 'position' })}
        style={
          {
            '--start': percent(range.start),
            '--end': percent(isPoint ? duration : range.end),
            '--position': percent(position),
          } as CSSProperties
        }
      >
        <div className={styles.pictures}>
          {hasVideo && isWhole && (
            <Thumbnails
              src={address({ view: 'sheet', columns: thumbnails, rows: 1, width: WIDTH })}
              aspect={stripAspect(aspect, thumbnails)}
            />
          )}
          {hasVideo && !isWhole && (
            <div className={styles.frames} style={{ aspectRatio: stripAspect(aspect, thumbnails) }}>
              {middlesOf(view, thumbnails).map((middle) => (
                <img
                  key={middle}
                  ref={cancelWhenRemoved}
                  src={address({ view: 'frame', at: frameAt(middle, bounds), width: WIDTH / thumbnails })}
                  alt=""
                  draggable={false}
                />
              ))}
            </div>
          )}
          {hasAudio && (
            <div
              className={styles.wave}
              style={
                {
                  '--wave': `url("${address({ view: 'waveform' })}")`,
                  '--wave-width': `${(duration / view.length) * 100}%`,
                  '--wave-at': isWhole ? '0%' : `${(view.from / (duration - view.length)) * 100}%`,
                } as CSSProperties
              }
            />
          )}
          {list?.parts.map(
            (part, index) =>
              index !== list.selected && (
                <div
                  key={`${part.start} ${part.end}`}
                  className={styles.other}
                  style={{ left: percent(part.start), right: `${100 - shareOf(view, part.end) * 100}%` }}
                  hidden={part.end <= view.from || part.start >= view.from + view.length}
                />
              ),
          )}
          <div className={styles.before} />
          <div className={styles.after} />
          <div className={styles.now} />
        </div>
        <Handle
          {...slider}
          point="start"
          label={isPoint ? 'Time of the image' : 'Start of the part'}
          value={range.start}
        />
        <Handle {...slider} point="position" label="Position" value={position} />
        {!isPoint && <Handle {...slider} point="end" label="End of the part" value={range.end} />}
      </div>
      <div className={styles.actions}>
        <StepButton
          to="previous"
          label={stepLabel('Back')}
          isAtEnd={shown <= 0}
          onStep={() => stepByButton('ArrowLeft')}
        />
        <output className={styles.time} aria-label="Position">
          {clockText(shown)}
        </output>
        <StepButton
          to="next"
          label={stepLabel('Forward')}
          isAtEnd={shown >= lastFrameOf(duration, bounds)}
          onStep={() => stepByButton('ArrowRight')}
        />
        {ZOOMS.map(({ label, icon, zoomed }) => {
          const to = zoomed(view, position, duration);
          return (
            <Button
              key={label}
              variant="quiet"
              aria-label={label}
              title={label}
              // Not `disabled`, because the button would lose the focus at the last zoom.
              aria-disabled={to.length === view.length}
              onClick={() => setZoom(to.length < duration ? to : undefined)}
            >
              {icon}
            </Button>
          );
        })}
        <Button
          variant="quiet"
          title={isPoint ? 'Key I' : 'Key I. The part begins with the shown frame.'}
          onClick={startHere}
        >
          {isPoint ? 'Take this image' : 'Start here'}
        </Button>
        {!isPoint && (
          <>
            <Button variant="quiet" title="Key O. The shown frame is the last one that is kept." onClick={endHere}>
              End here
            </Button>
            <Button
              variant="quiet"
              disabled={range.start <= 0 && range.end >= duration}
              onClick={() => onChange({ start: 0, end: Math.min(duration, bounds.maxLength ?? duration) })}
            >
              Whole file
            </Button>
          </>
        )}
        {/* The last one, because it appears when there is a part, and must not move the others. */}
        {onAdd !== undefined && (
          <Button variant="quiet" onClick={onAdd}>
            Keep another part
          </Button>
        )}
      </div>
      <p className={styles.times}>
        {isPoint
          ? isChosen
            ? clockText(range.start)
            : 'The recipe chooses the image.'
          : `${clockText(range.start)} – ${clockText(range.end)} · ${lengthText(range.end - range.start)}`}
        {!isPoint && hasVideo && range.end < duration && ` · Last frame: ${clockText(lastFrameOf(range.end, bounds))}`}
      </p>
      {list !== undefined && <Parts {...list} />}
      {snap.earlier !== undefined && (
        <p className={styles.note}>
          The video is copied, so it begins at the key frame {clockText(snap.earlier.key)}.{' '}
          <Button variant="quiet" onClick={() => move('start', snap.earlier?.start ?? 0)}>
            Start at the key frame
          </Button>
        </p>
      )}
      {at !== undefined && hasVideo && (
        <div className={styles.picture} data-shown={isTimeTyped}>
          <PositionFrame path={path} at={shown} frame={frame} onMove={setAt} />
        </div>
      )}
    </div>
  );
}

/** The parts that are kept, in their order. The selected one is changed on the strip. */
const Parts = ({ parts, selected, onSelect, onRemove }: PartList) => (
  <ol className={styles.parts} aria-label="Kept parts">
    {parts.map(({ start, end }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is known by its place in the list.
      <li key={index}>
        <Button variant="quiet" aria-pressed={index === selected} onClick={() => onSelect(index)}>
          {clockText(start)} – {clockText(end)}
        </Button>
        <Button variant="quiet" aria-label={`Remove part ${index + 1}`} onClick={() => onRemove(index)}>
          <X />
        </Button>
      </li>
    ))}
  </ol>
);

const lengthText = (seconds: number): string => (seconds < 60 ? `${Number(seconds.toFixed(2))} s` : clockText(seconds));

interface HandleProps {
  readonly point: Point;
  readonly label: string;
  readonly value: number;
  readonly max: number;
  readonly view: StripView;
  readonly onStep: (point: Point, event: KeyboardEvent) => void;
  readonly onGrab: (event: PointerEvent<HTMLElement>, grabbed: Grabbed) => void;
}

/** A point on the strip. */
const Handle = ({ point, label, value, max, view, onStep, onGrab }: HandleProps) => (
  <div
    role="slider"
    tabIndex={0}
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={max}
    aria-valuenow={value}
    aria-valuetext={clockText(value)}
    className={styles[point]}
    // A handle outside the view is hidden, but stays in the page for keys and screen readers.
    data-outside={!isInView(view, value)}
    onKeyDown={(event) => onStep(point, event)}
    onPointerDown={(event) => {
      event.currentTarget.focus({ preventScroll: true });
      onGrab(event, { point, from: value });
    }}
  />
);

/** Without this, a browser continues to load an image that is removed, and the service to make it. */
const cancelWhenRemoved = (image: HTMLImageElement | null) => () =>
  queueMicrotask(() => image?.isConnected === false && image.removeAttribute('src'));

/** The thumbnails, in one image. The image has its height before it is loaded, so that nothing below it moves. */
function Thumbnails({ src, aspect }: { readonly src: string; readonly aspect: number }) {
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading');
  const shape = { className: styles.thumbnails, style: { aspectRatio: aspect } };
  return (
    <div className={styles.sheet}>
      {state === 'failed' ? (
        <div {...shape} />
      ) : (
        <img
          {...shape}
          ref={cancelWhenRemoved}
          data-state={state}
          src={src}
          alt=""
          draggable={false}
          onLoad={() => setState('loaded')}
          onError={() => setState('failed')}
        />
      )}
      {state !== 'loaded' && <StripNote isFailed={state === 'failed'} />}
    </div>
  );
}

/** Times that differ by less than this, in seconds, count as equal, because ranges are stored in milliseconds. */
const SAME_TIME = 0.002;

/**
 * Calls `show` with the point that the user has changed in a field, and returns whether this field still has the focus. Other changes leave the
 * position where the user looks: those by a strip, which may be that of another source with the same argument, and those by buttons.
 */
function useTypedTimes(range: Range, owner: string, show: (point: 'start' | 'end', range: Range) => void): boolean {
  const last = useRef({ range, owner });
  const [isTyped, setTyped] = useState(false);
  useEffect(() => {
    if (!isTyped) return undefined;
    const leave = (): void => setTyped(false);
    document.addEventListener('focusout', leave);
    return () => document.removeEventListener('focusout', leave);
  }, [isTyped]);
  useEffect(() => {
    const before = last.current;
    last.current = { range, owner };
    if (before.owner !== owner || !isTyping()) return;
    const isOther = (point: 'start' | 'end'): boolean => Math.abs(range[point] - before.range[point]) > SAME_TIME;
    if (!isOther('start') && !isOther('end')) return;
    show(isOther('start') ? 'start' : 'end', range);
    setTyped(true);
  });
  return isTyped;
}

/** Where a copied video can begin, and the moves of the start to there. */
function useSnap(
  path: string,
  { start }: Range,
  { formats, isWanted }: { readonly formats: readonly string[]; readonly isWanted: boolean },
  onSnap: (start: number) => void,
) {
  const keys = useKeyFrames(path, start, isWanted);
  const starts = keys && copyStarts(keys, formats);
  /** A start that the user has chosen on the strip, and that is to move to a key frame. */
  const [wanted, setWanted] = useState<number>();
  useEffect(() => {
    if (!isWanted || starts === undefined || wanted === undefined) return;
    setWanted(undefined);
    const to = snapTime(starts, start);
    if (to !== undefined && Math.abs(wanted - start) < 0.002 && !isAtKeyFrame(starts, start)) onSnap(to);
  });
  const isOff = starts !== undefined && wanted === undefined && !isAtKeyFrame(starts, start);
  const at = isOff ? startIndex(starts, start) : -1;
  return {
    request: (to: number): void => setWanted(isWanted ? to : undefined),
    /** The start at the key frame that an arrow key goes to. */
    keyTime: ({ key, shiftKey }: PressedKey): number | undefined => {
      if (!isWanted || starts === undefined || shiftKey) return undefined;
      if (key === 'ArrowRight' || key === 'ArrowUp') return nextStart(starts, start, 1);
      if (key === 'ArrowLeft' || key === 'ArrowDown') return nextStart(starts, start, -1);
      return undefined;
    },
    /** The key frame before the start at which the copy begins instead, and the start that begins there too. */
    earlier: at < 0 ? undefined : { key: keys?.[at] ?? 0, start: starts?.[at] ?? 0 },
  };
}
