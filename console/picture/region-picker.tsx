import { type CSSProperties, type KeyboardEvent, useId, useRef, useState } from 'react';
import { fileAddress } from '../media/media-address.ts';
import { useDrag } from '../ui/use-drag.ts';
import { CORNERS, moveRegion, type Region, resizeRegion, type Size, withAspect } from './region.ts';
import styles from './region-picker.module.css';

/** The width of the image, in pixels. */
const IMAGE_WIDTH = 960;

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
  readonly region: Region;
  readonly onChange: (region: Region) => void;
}

/** A rectangle on a frame of the source, which the user moves and sizes by mouse, touch or keys. */
export function RegionPicker({ path, frame, region, onChange }: Props) {
  const id = useId();
  const stage = useRef<HTMLDivElement>(null);
  const [aspectName, setAspectName] = useState('');
  const aspect = aspectName === 'source' ? frame.width / frame.height : ASPECTS[aspectName];
  type Grabbed = { readonly region: Region; readonly corner?: (typeof CORNERS)[number] };
  const change = ({ region: from, corner }: Grabbed, by: { readonly x: number; readonly y: number }): void =>
    onChange(corner === undefined ? moveRegion(from, by, frame) : resizeRegion(from, corner, by, { frame, aspect }));
  const drag = useDrag<Grabbed>(stage, {
    move: (grabbed, { by }) => change(grabbed, { x: by.x * frame.width, y: by.y * frame.height }),
  });
  const step = (event: KeyboardEvent, grabbed: Grabbed): void => {
    const by = stepOf(event);
    if (by === undefined) return;
    event.preventDefault();
    change(grabbed, by);
  };
  const share = (pixels: number, of: number): string => `${(pixels / of) * 100}%`;
  return (
    <div className={styles.picker}>
      <div
        ref={stage}
        className={styles.stage}
        style={
          {
            '--ratio': frame.width / frame.height,
            '--x': share(region.x, frame.width),
            '--y': share(region.y, frame.height),
            '--width': share(region.width, frame.width),
            '--height': share(region.height, frame.height),
          } as CSSProperties
        }
      >
        <img
          src={fileAddress(path)({ view: 'frame', width: IMAGE_WIDTH })}
          alt={`Frame of ${path}`}
          draggable={false}
        />
        <div className={styles.region}>
          <button
            type="button"
            className={styles.inside}
            aria-label="Region: drag it, or move it with the arrow keys"
            aria-describedby={id}
            onPointerDown={(event) => drag(event, { region })}
            onKeyDown={(event) => step(event, { region })}
          />
          {CORNERS.map((corner) => (
            <button
              key={corner.name}
              type="button"
              className={styles.corner}
              data-side={corner.side}
              data-edge={corner.edge}
              aria-label={`${corner.name} of the region`}
              aria-describedby={id}
              onPointerDown={(event) => drag(event, { region, corner })}
              onKeyDown={(event) => step(event, { region, corner })}
            />
          ))}
        </div>
      </div>
      <div className={styles.line}>
        <output id={id}>
          {region.width}×{region.height} at {region.x}, {region.y}
        </output>
        <label>
          Aspect ratio{' '}
          <select
            value={aspectName}
            onChange={({ currentTarget: { value } }) => {
              setAspectName(value);
              const chosen = value === 'source' ? frame.width / frame.height : ASPECTS[value];
              if (chosen !== undefined) onChange(withAspect(region, chosen));
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
