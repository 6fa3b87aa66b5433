import { fileAddress } from '../media/media-address.ts';
import styles from './part-edges.module.css';
import { type Bounds, firstFrameOf, frameAt, frameSeconds, lastFrameOf, type Range } from './trim-range.ts';
import { clockText } from './trim-time.ts';

/** The width of each frame: sharp on a screen with two pixels per point. */
const WIDTH = 320;

interface Props {
  readonly path: string;
  readonly range: Range;
  readonly bounds: Bounds;
}

/** The frames on both sides of each edge of a part, so that the user sees that the edges are right without going there. */
export function PartEdges({ path, range, bounds }: Props) {
  const frame = frameSeconds(bounds);
  const [first, last] = [firstFrameOf(range.start, bounds), lastFrameOf(range.end, bounds)];
  const frames = [
    ...(first > 0 ? [{ name: 'Before', at: frameAt(first - frame, bounds) }] : []),
    { name: 'First', at: first, isIn: true },
    { name: 'Last', at: last, isIn: true },
    ...(last + frame < bounds.duration ? [{ name: 'After', at: frameAt(last + frame, bounds) }] : []),
  ];
  const address = fileAddress(path);
  return (
    <ul className={styles.edges} aria-label="Frames at the edges of the part">
      {frames.map(({ name, at, isIn = false }) => (
        <li key={name} data-in={isIn}>
          <img src={address({ view: 'frame', at, width: WIDTH })} alt={`${name} frame`} />
          <span>
            {name} <span className={styles.time}>{clockText(at)}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
