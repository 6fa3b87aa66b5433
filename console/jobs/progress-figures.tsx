import type { Job } from '@telecine/client';
import { FactsList } from '../ui/facts-list.tsx';
import styles from './progress-figures.module.css';
import { percentText, speedNote, speedText, timeLeftText, unknownProgressText } from './progress-text.ts';

/** The figures of a running job on its page, each with its name. The bar of the timeline shows the progress once the time left is known. */
export function ProgressFigures({ job }: { readonly job: Job }) {
  const { status, progress, etaSeconds } = job;
  if (status !== 'PROCESSING') return null;
  const figures = [
    [
      'Progress',
      progress === undefined ? (unknownProgressText(job) ?? 'not known yet') : percentText(progress),
      undefined,
    ],
    ['Time left', timeLeftText(job)?.replace(/ left$/, ''), undefined],
    ['Speed', speedText(job), speedNote(job)],
  ] as const;
  return (
    <>
      <progress
        aria-label="Progress"
        max={100}
        value={progress}
        className={etaSeconds === undefined ? styles.bar : 'visually-hidden'}
      />
      <FactsList
        className={styles.figures}
        facts={figures.map(([name, value, note]) => [
          name,
          value !== undefined && note !== undefined ? (
            <>
              {value} <small>{note}</small>
            </>
          ) : (
            value
          ),
        ])}
      />
    </>
  );
}
