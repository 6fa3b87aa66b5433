import type { DryRun } from '@telecine/client';
import { commandText } from '../ui/command-text.ts';
import { sizeText, timeText } from './estimate-text.ts';
import styles from './plan-view.module.css';

/** How the service understands a request: what it writes with which encoders, and the commands. */
export function PlanView({
  plan: { argv, plan, estimate },
  isOld,
}: {
  readonly plan: DryRun;
  readonly isOld: boolean;
}) {
  return (
    <div className={styles.plan} aria-busy={isOld}>
      <dl className={styles.facts}>
        {estimate !== undefined && (
          <div>
            <dt>Time</dt>
            <dd title={estimate.time.unknown}>{timeText(estimate) ?? 'unknown'}</dd>
          </div>
        )}
        {plan.outputs.map(({ name, path, muxer, encoders, replace }, i) => (
          <div key={name}>
            <dt>
              {path}
              {replace && <span className={styles.soft}> (replaces it)</span>}
            </dt>
            <dd>{[muxer, ...Object.values(encoders).flatMap((names) => names ?? [])].join(', ')}</dd>
            {estimate?.outputs[i] !== undefined && <Size output={estimate.outputs[i]} />}
          </div>
        ))}
        {plan.passes > 1 && (
          <div>
            <dt>Passes</dt>
            <dd>{plan.passes}</dd>
          </div>
        )}
      </dl>
      <h3 className={styles.heading}>{argv.length === 1 ? 'Command' : 'Commands'}</h3>
      {argv.map((command) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
        <pre key={command.join(' ')} className={styles.command} tabIndex={0}>
          {commandText(command)}
        </pre>
      ))}
    </div>
  );
}

function Size({ output }: { readonly output: NonNullable<DryRun['estimate']>['outputs'][number] }) {
  const size = sizeText(output);
  return <dd className={styles.size}>{size ?? `Size unknown. ${output.unknown ?? ''}`}</dd>;
}
