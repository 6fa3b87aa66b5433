import type { Job } from '@telecine/client';
import { METRIC_NAMES } from '../../packages/contract/src/domain/quality.ts';
import { DataTable } from '../ui/data-table.tsx';
import { countText } from '../ui/format.ts';
import { Section } from '../ui/section.tsx';
import styles from './job-quality.module.css';
import { type Ladder, ladderPoints, plotLadder } from './ladder-plot.ts';
import { PlotOverQuality } from './plot-over-quality.tsx';
import { bitRateText } from './quality-plot.ts';

/** The rungs that a job made for its video, and the bit rate over the quality of all that it tried for them. */
export function JobLadder({ job }: { readonly job: Job }) {
  const ladder = job.outputs?.find((output) => output.ladder !== undefined)?.ladder;
  if (ladder === undefined) return null;
  const { rungs, metric, target } = ladder;
  const scores = [...new Set([rungs[0]?.score, rungs.at(-1)?.score])];
  return (
    <Section title="Ladder">
      <p>
        {countText(rungs.length, 'rung')}, {METRIC_NAMES[metric]} {scores.join(' to ')}. The target of the best one is{' '}
        {target}.
      </p>
      <LadderOverQuality ladder={ladder} />
      <details className={styles.values}>
        <summary>Show the values</summary>
        <DataTable
          label="Rungs and what was tried"
          rows={ladderPoints(ladder)}
          keyOf={({ text, isRung }) => `${text} ${isRung}`}
          empty="Nothing was tried."
          columns={[
            { name: 'Size', cell: ({ text }) => text },
            { name: 'Encoded', cell: ({ isRung }) => (isRung ? 'full video: a rung' : 'samples') },
            { name: 'Quality', isNumber: true, cell: ({ score }) => score },
            { name: 'Bit rate', isNumber: true, cell: ({ bitsPerSecond }) => bitRateText(bitsPerSecond) },
          ]}
        />
      </details>
    </Section>
  );
}

function LadderOverQuality({ ladder }: { readonly ladder: Ladder }) {
  const { points, highestBits, ...plot } = plotLadder(ladder);
  return (
    <PlotOverQuality
      {...plot}
      points={points.map(({ x, y, text, isRung: isFilled }) => ({
        ...{ x, y, id: `${text} ${isFilled}`, title: text, isFilled },
      }))}
      highestValue={bitRateText(highestBits)}
      legend={`quality (${METRIC_NAMES[ladder.metric]}): ● rung, ○ samples, ┆ target`}
    />
  );
}
