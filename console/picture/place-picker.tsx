import { type CSSProperties, useId, useRef } from 'react';
import { nearestPlace, placeName, placeOf } from '../../packages/contract/src/domain/place.ts';
import { fileAddress } from '../media/media-address.ts';
import { useDrag } from '../ui/use-drag.ts';
import styles from './place-picker.module.css';
import type { Size } from './region.ts';

/** The width of the image, in pixels. */
const IMAGE_WIDTH = 960;
/** The width of the image of what is placed. */
const PLACED_WIDTH = 320;

interface Props {
  /** The path of a video in the media root. */
  readonly path: string;
  readonly frame: Size;
  /** The name of what is placed: `logo`. */
  readonly what: string;
  /** The path of the image that is placed. undefined: there is none, such as for text. */
  readonly image: string | undefined;
  readonly choices: readonly string[];
  readonly value: string;
  /** The width of what is placed, as a share of the width of the frame. */
  readonly share: number;
  /** The distance from the edges, in pixels of the frame. */
  readonly margin: number;
  readonly onChange: (place: string) => void;
}

/** Lets the user choose a place on a frame of the source: by a click, by keys, or by dragging what is placed. */
export function PlacePicker({ path, frame, what, image, choices, value, share, margin, onChange }: Props) {
  const name = useId();
  const stage = useRef<HTMLFieldSetElement>(null);
  const drag = useDrag<undefined>(stage, {
    move: (_grabbed, { at }) => {
      const nearest = nearestPlace(choices, at);
      if (nearest !== value) onChange(nearest);
    },
  });
  const { x, y } = placeOf(value) ?? { x: 1, y: 1 };
  return (
    <fieldset ref={stage} className={styles.stage} style={{ '--ratio': frame.width / frame.height } as CSSProperties}>
      <legend className="visually-hidden">Place of the {what}</legend>
      <img
        className={styles.frame}
        src={fileAddress(path)({ view: 'frame', width: IMAGE_WIDTH })}
        alt={`Frame of ${path}`}
        draggable={false}
      />
      {choices.map((choice) => {
        const place = placeOf(choice) ?? { x: 1, y: 1 };
        return (
          <input
            key={choice}
            type="radio"
            className={styles.place}
            style={{ '--x': place.x, '--y': place.y } as CSSProperties}
            name={name}
            aria-label={placeName(choice)}
            checked={choice === value}
            onChange={() => onChange(choice)}
          />
        );
      })}
      <div
        className={styles.placed}
        style={
          {
            '--x': x,
            '--y': y,
            '--width': `${share * 100}%`,
            '--margin': `${(margin / frame.width) * 100}%`,
          } as CSSProperties
        }
        onPointerDown={(event) => drag(event, undefined)}
      >
        {image === undefined ? (
          what
        ) : (
          <img src={fileAddress(image)({ view: 'frame', width: PLACED_WIDTH })} alt="" draggable={false} />
        )}
      </div>
    </fieldset>
  );
}
