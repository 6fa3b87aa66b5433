import type { Job } from '@telecine/client';
import { DataTable } from '../ui/data-table.tsx';
import { Section } from '../ui/section.tsx';
import { type ChosenSize, type ComparedSize, isChosen, plotSizes, sizeText } from './frame-size-plot.ts';
import styles from './job-quality.module.css';
import { PLOT } from './quality-plot.ts';

/** The frame size that the job chose, and the sizes that it compared: the height over the quality. */
export function JobFrameSize({ job }: { readonly job: Job }) {
  const chosen = job.outputs?.find((output) => output.frameSize !== undefined)?.frameSize;
  if (chosen === undefined) return null;
  const { compared = [] } = chosen;
  return (
    <Section title="Frame size">
      <p>{chosen.reason}</p>
      {compared.length > 0 && <ComparedSizes chosen={chosen} compared={compared} />}
    </Section>
  );
}

interface ComparedSizesProps {
  readonly chosen: ChosenSize;
  readonly compared: readonly ComparedSize[];
}

function ComparedSizes({ chosen, compared }: ComparedSizesProps) {
  return (
    <>
      <SizeOverQuality chosen={chosen} compared={compared} />
      <details className={styles.values}>
        <summary>Show the sizes</summary>
        <DataTable
          label="Sizes that were compared"
          rows={compared}
          keyOf={sizeText}
          empty="No sizes were compared."
          columns={[
            { name: 'Size', cell: (one) => `${sizeText(one)}${isChosen(chosen, one) ? ', of the output' : ''}` },
            { name: 'Quality', isNumber: true, cell: ({ score }) => score },
          ]}
        />
      </details>
    </>
  );
}

const { left, right, top, bottom, width, height } = PLOT;
/** The distance of the labels below the plot. */
const BELOW = 14;

/** Draws the sizes that were compared. The table beside it has the same values. */
function SizeOverQuality({ chosen, compared }: ComparedSizesProps) {
  const { points, line, highestSize, lowest, highest } = plotSizes(chosen, compared);
  return (
    <svg className={styles.plot} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path className={styles.axis} d={`M${left} ${top}V${bottom}H${right}`} />
      <polyline className={styles.line} points={line} />
      {points.map((point) => (
        <circle key={point.size} className={styles.point} data-whole={point.isChosen} cx={point.x} cy={point.y} r={4}>
          <title>{point.size}</title>
        </circle>
      ))}
      <text x={left - 6} y={top + 4} textAnchor="end">
        {highestSize}
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
        height over quality (SSIM): ● output, ○ compared
      </text>
    </svg>
  );
}
