import styles from './job-quality.module.css';
import { type AxisLabel, PLOT } from './quality-plot.ts';

interface Props {
  readonly points: readonly Point[];
  /** The line between points: `x,y x,y`. */
  readonly line: string;
  /** Where the quality is that was asked for. */
  readonly targetX?: number;
  /** The label at the top of the vertical axis, which begins at 0. */
  readonly highestValue: string | number;
  readonly lowest: AxisLabel;
  readonly highest: AxisLabel;
  readonly legend: string;
}

interface Point {
  readonly x: number;
  readonly y: number;
  /** Different for each point. */
  readonly id: string;
  readonly title: string;
  readonly isFilled: boolean;
}

const { left, right, top, bottom, width, height } = PLOT;
/** The distance of the labels below the plot. */
const BELOW = 14;

/** Draws values over the quality that they give. Screen readers do not read it: put a table with the same values beside it. */
export function PlotOverQuality({ points, line, targetX, highestValue, lowest, highest, legend }: Props) {
  return (
    <svg className={styles.plot} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path className={styles.axis} d={`M${left} ${top}V${bottom}H${right}`} />
      {targetX !== undefined && <line className={styles.target} x1={targetX} x2={targetX} y1={top} y2={bottom} />}
      <polyline className={styles.line} points={line} />
      {points.map(({ x, y, id, title, isFilled }) => (
        <circle key={id} className={styles.point} data-whole={isFilled} cx={x} cy={y} r={4}>
          <title>{title}</title>
        </circle>
      ))}
      <text x={left - 6} y={top + 4} textAnchor="end">
        {highestValue}
      </text>
      <text x={left - 6} y={bottom} textAnchor="end">
        0
      </text>
      <text x={lowest.x} y={bottom + BELOW} textAnchor="middle">
        {lowest.score}
      </text>
      {highest.score > lowest.score && (
        <text x={highest.x} y={bottom + BELOW} textAnchor="middle">
          {highest.score}
        </text>
      )}
      <text x={(left + right) / 2} y={height - 2} textAnchor="middle">
        {legend}
      </text>
    </svg>
  );
}
