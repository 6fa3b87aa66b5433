import type { Job } from '@telecine/client';
import { DataTable } from '../ui/data-table.tsx';
import { Section } from '../ui/section.tsx';
import styles from './job-quality.module.css';
import { PlotOverQuality } from './plot-over-quality.tsx';
import { bitRateText, plotQuality, type Quality, qualityText } from './quality-plot.ts';

/** The quality of an output that has a quality target, and the bit rate over the quality of all that was tried. */
export function JobQuality({ job }: { readonly job: Job }) {
  const quality = job.outputs?.find((output) => output.quality !== undefined)?.quality;
  if (quality === undefined) return null;
  return (
    <Section title="Quality">
      <p>{qualityText(quality)}</p>
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
            { name: 'Encoded', cell: ({ isWhole }) => (isWhole === true ? 'full video' : 'samples') },
            { name: 'Quality', isNumber: true, cell: ({ score }) => score },
            { name: 'Bit rate', isNumber: true, cell: ({ bitsPerSecond }) => bitRateText(bitsPerSecond) },
          ]}
        />
      </details>
    </Section>
  );
}

function BitRateOverQuality({ quality }: { readonly quality: Quality }) {
  const { points, highestBits, ...plot } = plotQuality(quality);
  return (
    <PlotOverQuality
      {...plot}
      points={points.map(({ x, y, value, isWhole }) => ({
        ...{ x, y, id: `${value} ${isWhole}` },
        ...{ title: `${quality.option} ${value}`, isFilled: isWhole },
      }))}
      highestValue={bitRateText(highestBits)}
      legend="quality: ● full video, ○ samples, ┆ target"
    />
  );
}
