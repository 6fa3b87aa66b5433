import type { Job } from '@telecine/client';
import { DataTable } from '../ui/data-table.tsx';
import { Section } from '../ui/section.tsx';
import { WithCode } from '../ui/with-code.tsx';
import { type ChosenSize, type ComparedSize, isChosen, plotSizes, sizeText } from './frame-size-plot.ts';
import styles from './job-quality.module.css';
import { PlotOverQuality } from './plot-over-quality.tsx';

/** The frame size that the job chose, and the sizes that it compared: the height over the quality. */
export function JobFrameSize({ job }: { readonly job: Job }) {
  const chosen = job.outputs?.find((output) => output.frameSize !== undefined)?.frameSize;
  if (chosen === undefined) return null;
  const { compared = [] } = chosen;
  return (
    <Section title="Frame size">
      <p>
        <WithCode text={chosen.reason} />
      </p>
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

function SizeOverQuality({ chosen, compared }: ComparedSizesProps) {
  const { points, highestSize, ...plot } = plotSizes(chosen, compared);
  return (
    <PlotOverQuality
      {...plot}
      points={points.map(({ x, y, size, isChosen: isFilled }) => ({ x, y, id: size, title: size, isFilled }))}
      highestValue={highestSize}
      legend="height over quality (SSIM): ● output, ○ compared"
    />
  );
}
