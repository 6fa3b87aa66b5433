import type { DryRun, MediaInfo } from '@telecine/client';
import { commandText } from '../ui/command-text.ts';
import { Commands } from '../ui/commands.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { type EstimateText, queueText, sizeText, timeText } from './estimate-text.ts';
import styles from './plan-view.module.css';
import { soundChange } from './sound-change.ts';

/** The plan of a request: the estimated time and sizes, the outputs with their encoders, and the commands. */
export function PlanView({
  plan: { argv, plan, estimate },
  source,
  isOld,
  isInvalid,
  isOneOfSeveral = false,
}: {
  readonly plan: DryRun;
  /** What is known of the source, if it is the only one. */
  readonly source?: MediaInfo | undefined;
  /** Whether the request has changed since. The command is then not offered. */
  readonly isOld: boolean;
  /** Whether the request has an error now, so that this plan cannot run. */
  readonly isInvalid: boolean;
  /** Whether it is the plan of one of several sources, whose figures are those of all of them. */
  readonly isOneOfSeveral?: boolean;
}) {
  return (
    <div className={styles.plan} aria-busy={isOld} data-invalid={isInvalid} data-one={isOneOfSeveral}>
      <dl className={styles.figures}>
        {estimate !== undefined && (
          <Figure
            name="Time to convert"
            value={timeText(estimate)}
            why={estimate.time.unknown}
            more={queueText(estimate)}
          />
        )}
        {plan.outputs.map(({ name }, i) => {
          const output = estimate?.outputs[i];
          if (output === undefined) return null;
          const label = plan.outputs.length === 1 ? 'Size' : `Size of output ${i + 1}`;
          return <Figure key={name} name={label} value={sizeText(output)} why={output.unknown} />;
        })}
        {plan.passes > 1 && <Figure name="Passes" value={{ likely: String(plan.passes) }} />}
      </dl>
      <ul className={styles.outputs} aria-label="Outputs">
        {plan.outputs.map(({ name, path, muxer, encoders, replace }, index) => {
          const change = soundChange(estimate?.outputs[index]?.streams, source);
          return (
            <li key={name}>
              <span>
                {path}
                {replace && <span className={styles.soft}> (replaces the existing file)</span>}
              </span>
              <span className={styles.soft}>
                {[...new Set([muxer, ...Object.values(encoders).flatMap((names) => names ?? [])])].join(', ')}
                {change !== undefined && ` · ${change}`}
              </span>
            </li>
          );
        })}
      </ul>
      <div className={styles.head}>
        <h3 className={styles.heading}>{argv.length === 1 ? 'Command' : 'Commands'}</h3>
        {/* What is invalid too is out of date by a text above all of the plan. */}
        {isOld ? (
          <span className={styles.old}>{!isInvalid && 'Out of date'}</span>
        ) : (
          <CopyButton
            text={argv.map(commandText).join('\n')}
            label={argv.length === 1 ? 'Copy the command' : 'Copy the commands'}
          />
        )}
      </div>
      <Commands argv={argv} passes={plan.passes} label="Command" />
    </div>
  );
}

/** An estimate and its bounds. If there is no estimate, shows the reason. */
export function Figure({
  name,
  value,
  why,
  more,
}: {
  readonly name: string;
  readonly value: EstimateText | undefined;
  readonly why?: string | undefined;
  readonly more?: string | undefined;
}) {
  const note = value?.range ?? why;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value?.likely ?? 'unknown'}</dd>
      {note !== undefined && <dd className={styles.soft}>{note}</dd>}
      {more !== undefined && <dd className={styles.soft}>{more}</dd>}
    </div>
  );
}
