import type { Job } from '@telecine/client';
import { DataTable } from '../ui/data-table.tsx';
import { Section } from '../ui/section.tsx';
import styles from './job-quality.module.css';
import { bitRateText, chunksText, PLOT, plotQuality, type Quality, qualityText } from './quality-plot.ts';

/** The quality of an output that has a quality target, and the bit rate over the quality of all that was tried. */
export function JobQuality({ job }: { readonly job: Job }) {
  const quality = job.outputs?.find((output) => output.quality !== undefined)?.quality;
  if (quality === undefined) return null;
  const inChunks = chunksText(quality);
  return (
    <Section title="Quality">
      <p>{qualityText(quality)}</p>
      {inChunks !== undefined && <p>{inChunks}</p>}
      <BitRateOverQuality quality={quality} />
      <details className={styles.values}>
        <summary>Show the values</summary>
        <DataTable
          label="What was tried"
          rows={quality.tried}
          keyOf={({ value, isWhole }) => `${value} ${isWhole}`}
          empty="Nothing was tried."
          columns={[
            { name: quality.option, cell: ({ value }) => value },
            { name: 'Encoded', cell: (one) => encodedText(one, quality.value) },
            { name: 'Quality', isNumber: true, cell: ({ score }) => score },
            { name: 'Bit rate', isNumber: true, cell: ({ bitsPerSecond }) => bitRateText(bitsPerSecond) },
          ]}
        />
      </details>
    </Section>
  );
}

/** Says what was encoded: the full video, which is the output or was not kept, or only samples. */
const encodedText = ({ value, isWhole }: Quality['tried'][number], ofOutput: number): string =>
  isWhole !== true ? 'samples' : value === ofOutput ? 'full video: the output' : 'full video, not kept';

const { left, right, top, bottom, width, height } = PLOT;
/** The distance of the labels below the plot. */
const BELOW = 14;

/** Draws what was tried. The table beside it has the same values. */
function BitRateOverQuality({ quality }: { readonly quality: Quality }) {
  const { points, line, targetX, highestBits, lowest, highest } = plotQuality(quality);
  return (
    <svg className={styles.plot} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path className={styles.axis} d={`M${left} ${top}V${bottom}H${right}`} />
      <line className={styles.target} x1={targetX} x2={targetX} y1={top} y2={bottom} />
      <polyline className={styles.line} points={line} />
      {points.map(({ x, y, value, isWhole }) => (
        <circle key={`${value} ${isWhole}`} className={styles.point} data-whole={isWhole} cx={x} cy={y} r={4}>
          <title>{`${quality.option} ${value}`}</title>
        </circle>
      ))}
      <text x={left - 6} y={top + 4} textAnchor="end">
        {bitRateText(highestBits)}
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
        quality: ● full video, ○ samples, ┆ target
      </text>
    </svg>
  );
}
