import type { Job } from '@telecine/client';
import { DataTable } from '../ui/data-table.tsx';
import { Section } from '../ui/section.tsx';
import { WithCode } from '../ui/with-code.tsx';
import { comparedRows, sizeText } from './compared-sizes.ts';

/** The frame size that the job chose, and the sizes that it compared. A table, because the few values differ in their third digit. */
export function JobFrameSize({ job }: { readonly job: Job }) {
  const chosen = job.outputs?.find((output) => output.frameSize !== undefined)?.frameSize;
  if (chosen === undefined) return null;
  const { compared = [], bitsPerSecond, reason } = chosen;
  return (
    <Section title="Frame size">
      {compared.length === 0 ? (
        <p>
          <WithCode text={reason} />
        </p>
      ) : (
        <>
          <p>
            At {Math.round(bitsPerSecond / 1000)} kb/s, samples in {sizeText(chosen)} are most like the source.
          </p>
          <DataTable
            label="Sizes that were compared"
            rows={comparedRows(chosen, compared)}
            keyOf={({ size }) => size}
            empty="No sizes were compared."
            columns={[
              {
                name: 'Size',
                cell: ({ size, isChosen }) => (isChosen ? <strong>{size}</strong> : size),
              },
              { name: 'Likeness (SSIM)', isNumber: true, cell: ({ score }) => score },
              { name: 'Difference', isNumber: true, cell: ({ note }) => note },
            ]}
          />
        </>
      )}
    </Section>
  );
}
