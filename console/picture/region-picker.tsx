import { type CSSProperties, type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react';
import { fileAddress } from '../media/media-address.ts';
import { useDrag } from '../ui/use-drag.ts';
import {
  CORNERS,
  type Corner,
  drawRegion,
  isWhole,
  middleRegion,
  moveRegion,
  type Region,
  resizeRegion,
  type Size,
  withAspect,
} from './region.ts';
import styles from './region-picker.module.css';

/** The width of the image, in pixels. */
const IMAGE_WIDTH = 960;

/** How far the pointer moves before it draws, as a share of the stage. A press alone must not replace a region. */
const SHORTEST_DRAG = 0.01;

/** Aspect ratios that a region can keep, by their names. */
const ASPECTS: Readonly<Record<string, number>> = {
  '16:9': 16 / 9,
  '4:3': 4 / 3,
  '1:1': 1,
  '4:5': 4 / 5,
  '9:16': 9 / 16,
};

interface Props {
  /** The path of a video in the media root. */
  readonly path: string;
  /** The frame size of the video, as players show it. */
  readonly frame: Size;
  /** undefined: none is chosen. */
  readonly region: Region | undefined;
  /** Whether the picture is cut to the region. Then the rest of it is dark. */
  readonly isCut: boolean;
  readonly onChange: (region: Region) => void;
}

/** What the user has grabbed: a corner of a region or its inside. `region` undefined: a point from which a new one is drawn. */
interface Grabbed {
  readonly region: Region | undefined;
  readonly corner?: Corner;
  /** The region before the drag. */
  readonly before: Region | undefined;
}

/** A rectangle on a frame of the source, which the user draws, moves and sizes by mouse, touch or keys. */
export function RegionPicker({ path, frame, region, isCut, onChange }: Props) {
  const id = useId();
  const stage = useRef<HTMLDivElement>(null);
  const [aspectName, setAspectName] = useState('');
  const aspect = aspectName === 'source' ? frame.width / frame.height : ASPECTS[aspectName];
  const point: Grabbed = { region: undefined, before: region };
  const move = (
    { region: from, corner }: Pick<Grabbed, 'region' | 'corner'>,
    by: { readonly x: number; readonly y: number },
  ): void => {
    if (from === undefined) return;
    onChange(corner === undefined ? moveRegion(from, by, frame) : resizeRegion(from, corner, by, { frame, aspect }));
  };
  const drag = useDrag<Grabbed>(stage, {
    move: (grabbed, { by, at }) => {
      const pixels = ({ x, y }: { readonly x: number; readonly y: number }) => ({
        x: x * frame.width,
        y: y * frame.height,
      });
      if (grabbed.region !== undefined) move(grabbed, pixels(by));
      else if (Math.hypot(by.x, by.y) >= SHORTEST_DRAG)
        onChange(drawRegion(pixels({ x: at.x - by.x, y: at.y - by.y }), pixels(at), { frame, aspect }));
    },
    // The first movement of a finger that scrolls may have drawn.
    end: ({ before }, _movement, isCancelled) => isCancelled && before !== undefined && onChange(before),
  });
  const step = (event: KeyboardEvent, grabbed: Pick<Grabbed, 'region' | 'corner'>): void => {
    const by = stepOf(event);
    if (by === undefined) return;
    event.preventDefault();
    if (grabbed.region === undefined) onChange(middleRegion(frame));
    else move(grabbed, by);
  };
  const { x, y, width, height } = region ?? { x: 0, y: 0, ...frame };
  const share = (pixels: number, of: number): string => `${(pixels / of) * 100}%`;
  return (
    <div className={styles.picker}>
      <div
        ref={stage}
        className={styles.stage}
        style={
          {
            '--ratio': frame.width / frame.height,
            '--x': share(x, frame.width),
            '--y': share(y, frame.height),
            '--width': share(width, frame.width),
            '--height': share(height, frame.height),
          } as CSSProperties
        }
        onPointerDown={(event) => drag(event, point)}
      >
        <img
          src={fileAddress(path)({ view: 'frame', width: IMAGE_WIDTH })}
          alt={`Frame of ${path}`}
          draggable={false}
        />
        <div className={styles.region} data-none={region === undefined} data-cut={isCut}>
          <button
            type="button"
            className={styles.inside}
            data-draws={region === undefined || isWhole(region, frame)}
            aria-label={
              region === undefined
                ? 'Region: draw it, or press Enter for one in the middle'
                : 'Region: drag it, or move it with the arrow keys'
            }
            aria-describedby={id}
            // A region that fills the picture cannot be moved.
            onPointerDown={(event) =>
              drag(event, region === undefined || isWhole(region, frame) ? point : { region, before: region })
            }
            onKeyDown={(event) => step(event, { region })}
            // A click of the mouse ends a drag. Those of keys and of screen readers have no count.
            onClick={({ detail }) => region === undefined && detail === 0 && onChange(middleRegion(frame))}
          />
          {region !== undefined && <Corners region={region} describedBy={id} onGrab={drag} onStep={step} />}
        </div>
      </div>
      <div className={styles.line}>
        <output id={id}>
          {region === undefined ? 'Draw a rectangle on the picture.' : `${width}×${height} at ${x}, ${y}`}
        </output>
        <label>
          Aspect ratio{' '}
          <select
            value={aspectName}
            onChange={({ currentTarget: { value } }) => {
              setAspectName(value);
              const chosen = value === 'source' ? frame.width / frame.height : ASPECTS[value];
              if (chosen !== undefined && region !== undefined) onChange(withAspect(region, chosen));
            }}
          >
            <option value="">free</option>
            <option value="source">as the source</option>
            {Object.keys(ASPECTS).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </div>
    </div>
  );
}

/** The corners of a region, which size it. */
const Corners = ({
  region,
  describedBy,
  onGrab,
  onStep,
}: {
  readonly region: Region;
  readonly describedBy: string;
  readonly onGrab: (event: PointerEvent<HTMLElement>, grabbed: Grabbed) => void;
  readonly onStep: (event: KeyboardEvent, grabbed: Pick<Grabbed, 'region' | 'corner'>) => void;
}) =>
  CORNERS.map((corner) => (
    <button
      key={corner.name}
      type="button"
      className={styles.corner}
      data-side={corner.side}
      data-edge={corner.edge}
      aria-label={`${corner.name} of the region`}
      aria-describedby={describedBy}
      onPointerDown={(event) => onGrab(event, { region, corner, before: region })}
      onKeyDown={(event) => onStep(event, { region, corner })}
    />
  ));

/** The movement by an arrow key: one pixel, or ten with Shift. */
function stepOf({ key, shiftKey }: KeyboardEvent): { readonly x: number; readonly y: number } | undefined {
  const pixels = shiftKey ? 10 : 1;
  switch (key) {
    case 'ArrowLeft':
      return { x: -pixels, y: 0 };
    case 'ArrowRight':
      return { x: pixels, y: 0 };
    case 'ArrowUp':
      return { x: 0, y: -pixels };
    case 'ArrowDown':
      return { x: 0, y: pixels };
    default:
      return undefined;
  }
}
