import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import X from 'lucide-react/icons/x';
import ZoomIn from 'lucide-react/icons/zoom-in';
import ZoomOut from 'lucide-react/icons/zoom-out';
import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react';
import { fileAddress } from '../media/media-address.ts';
import { Button } from '../ui/button.tsx';
import { isTyping } from '../ui/is-typing.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { type Movement, useDrag } from '../ui/use-drag.ts';
import { copyStarts, isAtKeyFrame, nextStart, snapTime, startIndex } from './key-frames.ts';
import { PartEdges } from './part-edges.tsx';
import { PartField } from './part-field.tsx';
import { PositionFrame } from './position-frame.tsx';
import { StripPictures } from './strip-pictures.tsx';
import { followedTo, movedBy, type StripView, shareOf, timeAt, wholeView, zoomedIn, zoomedOut } from './strip-view.ts';
import {
  type Bounds,
  boundedRange,
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
import { useHold } from './use-hold.ts';
import { useKeyFrames } from './use-key-frames.ts';
import { useScene } from './use-scene.ts';

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

/** In a narrow window, the picture is above the strip, where neither the finger nor the bar with the button is. */
const NARROW = '(width < 64rem)';

/** Times in the draft are rounded to milliseconds. */
const TOLERANCE = 0.0015;

type Point = 'start' | 'end' | 'position';

const ZOOMS = [
  { label: 'Zoom in', icon: <ZoomIn />, zoomed: zoomedIn },
  { label: 'Zoom out', icon: <ZoomOut />, zoomed: zoomedOut },
] as const;

type PressedKey = Pick<KeyboardEvent, 'key' | 'shiftKey'>;

/** A drag of the pointer. */
interface Grabbed {
  readonly point: Point;
  /** The handle that the user grabbed: its time, and its place in the view. undefined: the user pressed the strip beside the handles. */
  readonly from?: { readonly time: number; readonly share: number };
}

/** How often the view moves while a point is dragged over its edge, in ms, and how far, as a share of its length. */
const SCROLL = { everyMs: 50, by: 0.03 } as const;

/** Thumbnails and waveform of a source, on which the user chooses a part by mouse, touch or keys. */
export function TrimStrip(props: Props) {
  const { path, range, bounds, hasVideo, hasAudio, aspect, isPoint, isChosen, isCopied, formats } = props;
  const { owner, onChange, list, onAdd } = props;
  const track = useRef<HTMLDivElement>(null);
  const isDragged = useRef(false);
  /** The time that the picture shows. undefined: the user has not moved anything. */
  const [at, setAt] = useState<number>();
  const { duration } = bounds;
  const [zoom, setZoom] = useState<StripView>();
  const view = zoom ?? wholeView(duration);
  const isWhole = zoom === undefined;
  const show = (to: number): void => {
    setAt(to);
    // A drag moves the view by itself, at its edge.
    if (!isDragged.current) setZoom(zoom && followedTo(zoom, to, duration));
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
  /** What was dragged last, which the buttons beside the time move too. */
  const [moved, setMoved] = useState<Point>('position');
  const stepped = moved === 'end' && isPoint ? 'position' : moved;
  const stepByButton = (key: 'ArrowLeft' | 'ArrowRight') =>
    void step(stepped, stepped === 'position' ? shown : range[stepped], { key, shiftKey: false });
  const startHere = (): void => {
    setMoved('position');
    move('start', shown);
    snap.request(shown);
  };
  const endHere = (): void => {
    setMoved('position');
    move('end', frameAt(shown + frame, bounds));
  };
  /** The start stays where it is if the part is longer than allowed. */
  const choose = (part: Range): void => onChange(moveStart(boundedRange(part, bounds), part.start, bounds));
  const scene = useScene(path, duration, (found) => {
    if (found !== undefined) choose(found);
  });
  const isScene =
    scene.data !== undefined &&
    Math.abs(scene.data.start - range.start) < TOLERANCE &&
    Math.abs(scene.data.end - range.end) < TOLERANCE;
  const timeOf = ({ from }: Grabbed, { at, by }: Movement, of: StripView): number => {
    // A press alone moves no handle: a typed time need not be that of a frame.
    if (from !== undefined && by.x === 0) return from.time;
    // A handle stays under the pointer where it was grabbed.
    return frameAt(timeAt(of, from === undefined ? at.x : from.share + by.x), bounds);
  };
  /** The drag that is over an edge of a zoomed view, which then moves on. */
  const [over, setOver] = useState<{ readonly way: 1 | -1; readonly grabbed: Grabbed; readonly movement: Movement }>();
  const scroll = useRef((): void => undefined);
  scroll.current = () => {
    if (over === undefined) return;
    const next = movedBy(view, over.way * view.length * SCROLL.by, duration);
    if (next.from === view.from) return;
    setZoom(next);
    move(over.grabbed.point, timeOf(over.grabbed, over.movement, next));
  };
  const isOver = over !== undefined;
  useEffect(() => {
    if (!isOver) return undefined;
    const timer = setInterval(() => scroll.current(), SCROLL.everyMs);
    return () => clearInterval(timer);
  }, [isOver]);
  const drag = useDrag<Grabbed>(track, {
    // A press beside the handles moves the position there, and one on a handle to its frame.
    start: (grabbed, movement) => {
      isDragged.current = true;
      if (grabbed.from === undefined) {
        setMoved('position');
        move('position', timeOf(grabbed, movement, view));
      } else if (grabbed.point !== 'position') showFrameOf(grabbed.point, range);
    },
    move: (grabbed, movement) => {
      // A press alone shows the frame of a handle. The buttons then go on from it, and do not change the part.
      setMoved(movement.by.x === 0 ? 'position' : grabbed.point);
      const share = grabbed.from === undefined ? movement.at.x : grabbed.from.share + movement.by.x;
      const way = isWhole || movement.by.x === 0 ? undefined : share > 1 ? 1 : share < 0 ? -1 : undefined;
      setOver(way && { way, grabbed, movement });
      move(grabbed.point, timeOf(grabbed, movement, view));
    },
    end: (grabbed, movement) => {
      isDragged.current = false;
      setOver(undefined);
      if (grabbed.point === 'start' && movement.by.x !== 0) snap.request(timeOf(grabbed, movement, view));
    },
  });
  /** The time under a mouse that presses nothing. */
  const [hovered, setHovered] = useState<number>();
  const percent = (seconds: number): string => `${shareOf(view, seconds) * 100}%`;
  const address = fileAddress(path);
  const picture = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (at === undefined || !window.matchMedia(NARROW).matches) return;
    picture.current?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const slider = { max: duration, view, onStep: stepByKey, onGrab: drag } as const;
  const stepLabel = (way: string): string => `${way} by a ${hasVideo ? 'frame' : 'step'}`;
  const isAtStart = (stepped === 'position' ? shown : range[stepped]) <= 0;
  const isAtEnd =
    stepped === 'position' ? shown >= lastFrameOf(duration, bounds) : stepped === 'end' && range.end >= duration;
  const facts = [
    lengthText(range.end - range.start),
    ...(hasVideo && range.end < duration ? [`Last frame: ${clockText(lastFrameOf(range.end, bounds))}`] : []),
  ].join(' · ');
  return (
    <div
      role="group"
      // A press on the strip, or on a button in a browser that does not focus buttons, shows the picture too.
      tabIndex={-1}
      aria-label={isPoint ? `Time in ${path}` : `Part of ${path}`}
      className={styles.strip}
      onKeyDown={({ key, ctrlKey, metaKey, altKey }) => {
        if (ctrlKey || metaKey || altKey || isTyping()) return;
        // The picture covers what is below it: WCAG 2.2, 1.4.13.
        if (key === 'Escape') setAt(undefined);
        if (key.toLowerCase() === 'i') startHere();
        if (key.toLowerCase() === 'o' && !isPoint) endHere();
      }}
    >
      <div
        ref={track}
        className={styles.track}
        data-whole={!isPoint && list === undefined && range.start <= 0 && range.end >= duration}
        onPointerDown={(event) => drag(event, { point: 'position' })}
        onPointerMove={({ pointerType, buttons, clientX, currentTarget }) => {
          const { left, width } = currentTarget.getBoundingClientRect();
          setHovered(
            pointerType === 'mouse' && buttons === 0
              ? frameAt(timeAt(view, (clientX - left) / width), bounds)
              : undefined,
          );
        }}
        onPointerLeave={() => setHovered(undefined)}
        style={
          {
            '--start': percent(range.start),
            '--end': percent(isPoint ? duration : range.end),
            '--position': percent(position),
          } as CSSProperties
        }
      >
        <div className={styles.pictures}>
          {hasVideo && <StripPictures path={path} aspect={aspect} bounds={bounds} view={zoom} />}
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
        {hovered !== undefined && (
          <div className={styles.hovered} style={{ left: percent(hovered) }} aria-hidden="true">
            {clockText(hovered)}
          </div>
        )}
        {/* Where the view is in the whole source. Its times are those of the handles. */}
        {!isWhole && (
          <div className={styles.overview} aria-hidden="true">
            <div style={{ left: `${(view.from / duration) * 100}%`, width: `${(view.length / duration) * 100}%` }} />
          </div>
        )}
      </div>
      <div className={styles.actions}>
        <HoldButton label={stepLabel('Back')} isAtEnd={isAtStart} onStep={() => stepByButton('ArrowLeft')}>
          <ChevronLeft />
        </HoldButton>
        <output className={styles.time} aria-label="Position">
          {stepped !== 'position' && !isPoint && <span>{stepped === 'start' ? 'Start' : 'Last frame'} </span>}
          {clockText(shown)}
        </output>
        <HoldButton label={stepLabel('Forward')} isAtEnd={isAtEnd} onStep={() => stepByButton('ArrowRight')}>
          <ChevronRight />
        </HoldButton>
        {ZOOMS.map(({ label, icon, zoomed }) => {
          const to = zoomed(view, position, duration);
          const isLast = to.length === view.length;
          return (
            <Button
              key={label}
              variant="quiet"
              aria-label={label}
              title={label}
              // Not `disabled`, because the button would lose the focus at the last zoom.
              aria-disabled={isLast}
              onClick={isLast ? undefined : () => setZoom(to.length < duration ? to : undefined)}
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
      {isPoint ? (
        <p className={styles.times}>{isChosen ? clockText(range.start) : 'The recipe chooses the image.'}</p>
      ) : (
        <div className={styles.chosen}>
          <PartField range={range} duration={duration} facts={facts} onChange={choose} />
          {hasVideo && (
            <Button
              variant="quiet"
              title="The part from the change of the picture before the position to the one after it"
              aria-busy={scene.isPending}
              onClick={() => scene.isPending || scene.mutate({ at: shown, frame })}
            >
              {scene.isPending ? 'Finding it…' : 'This scene'}
            </Button>
          )}
        </div>
      )}
      {isScene && <PartEdges path={path} range={range} bounds={bounds} />}
      {scene.error !== null && <ProblemNotice error={scene.error} onClose={scene.reset} />}
      {scene.isSuccess && scene.data === undefined && (
        <p role="status" className={styles.note}>
          No change of the scene was found around the position. Choose the part by its handles.
        </p>
      )}
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
        <div ref={picture} className={styles.picture} data-shown={isTimeTyped}>
          <PositionFrame path={path} at={shown} frame={frame} onMove={show} />
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
    // A handle outside the view waits at its edge, or is hidden there, but stays in the page for keys and screen readers.
    data-outside={value < view.from ? 'before' : value > view.from + view.length ? 'after' : undefined}
    onKeyDown={(event) => onStep(point, event)}
    onPointerDown={(event) => {
      event.currentTarget.focus({ preventScroll: true });
      onGrab(event, { point, from: { time: value, share: shareOf(view, value) } });
    }}
  />
);

/** A button that steps, and goes on while it is held. At the end it keeps the focus, which a disabled button loses. */
function HoldButton({
  label,
  isAtEnd,
  onStep,
  children,
}: {
  readonly label: string;
  readonly isAtEnd: boolean;
  readonly onStep: () => void;
  readonly children: ReactNode;
}) {
  const hold = useHold(() => !isAtEnd && onStep());
  return (
    <Button variant="quiet" className={styles.step} aria-label={label} aria-disabled={isAtEnd} {...hold}>
      {children}
    </Button>
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
