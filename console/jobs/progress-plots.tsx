import type { Job } from '@telecine/client';
import { CLOCK, formatDuration, formatLongTime } from '../ui/format.ts';
import { Plot } from '../ui/plot.tsx';
import { useProgressHistory } from './progress-history.ts';
import styles from './progress-plots.module.css';

const formatTime = (seconds: number): string => CLOCK.format(seconds * 1000);

/** Fewer samples do not make a useful line. */
const MIN_SAMPLES = 3;

/** Plots the speed and the time left of a conversion since its page was opened. */
export function ProgressPlots({ job }: { readonly job: Job }) {
  const samples = useProgressHistory(job);
  if (samples.length < MIN_SAMPLES) return null;
  const times = samples.map(({ at }) => at);
  const plots = [
    {
      title: 'Speed',
      colour: '--running' as const,
      values: samples.map(({ speed }) => speed),
      format: (value: number) => `${Number(value.toPrecision(2))}×`,
      isDuration: false,
    },
    {
      title: 'Time left',
      colour: '--ink-soft' as const,
      values: samples.map(({ etaSeconds }) => etaSeconds),
      // The scale of a plot needs the minutes between its hours.
      format: (seconds: number) => (seconds < 3600 ? formatDuration(seconds) : formatLongTime(seconds)),
      isDuration: true,
    },
  ].filter(({ values }) => values.some((value) => value !== null));
  if (plots.length === 0) return null;
  return (
    <div className={styles.progress}>
      <div className={styles.plots}>
        {plots.map(({ title, colour, values, format, isDuration }) => (
          <Plot
            key={title}
            title={title}
            times={times}
            series={[{ name: title, colour, values }]}
            format={format}
            isDuration={isDuration}
            formatTime={formatTime}
          />
        ))}
      </div>
      <p className={styles.since}>Since this page was opened.</p>
    </div>
  );
}
