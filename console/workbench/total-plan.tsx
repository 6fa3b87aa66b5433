import type { ConversionRequest } from '@telecine/client';
import { useEffect, useState } from 'react';
import { countText } from '../ui/format.ts';
import { watchSight } from '../ui/watch-sight.ts';
import { whyCannotRun } from './cannot-run.ts';
import { shortEstimate } from './estimate-text.ts';
import { Figure } from './plan-view.tsx';
import type { AllRequests } from './run-state.ts';
import styles from './total-plan.module.css';
import { shortTotal, totalSizeText, totalTimeText } from './total-text.ts';
import { type EachPlan, MAX_PLANNED, useTotal } from './use-total.ts';

/** What all requests together take, then each of them. A name shows the plan of its request. They are planned when the user sees this. */
export function TotalPlan({
  requests,
  names,
  isReady,
  shown,
  onShow,
  onTotal,
}: {
  readonly requests: readonly ConversionRequest[];
  /** The source of each request. */
  readonly names: readonly string[];
  /** Whether the request that is shown has a plan. */
  readonly isReady: boolean;
  readonly shown: number;
  readonly onShow: (index: number) => void;
  /** Called with what is known of all. undefined: they are not all planned. Must not change. */
  readonly onTotal: (all: AllRequests | undefined) => void;
}) {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const [isInSight, setInSight] = useState(false);
  useEffect(() => (place === null ? undefined : watchSight(place, setInSight)), [place]);
  const { plans, isStopped } = useTotal(requests, isReady && isInSight);
  const total = plans && shortTotal(plans);
  const failing = plans?.filter((plan) => whyCannotRun(plan) !== undefined).length ?? 0;
  useEffect(() => {
    if (total === undefined) return undefined;
    onTotal({ total, failing });
    return () => onTotal(undefined);
  }, [total, failing, onTotal]);
  if (requests.length > MAX_PLANNED) return null;
  if (plans === undefined)
    return (
      <p ref={setPlace} className={styles.soft}>
        {isStopped
          ? 'Not all sources are planned: the service is busy or has failed.'
          : `The plan of all ${requests.length} follows.`}
      </p>
    );
  const time = totalTimeText(plans);
  const size = totalSizeText(plans);
  return (
    <div ref={setPlace} className={styles.all}>
      <dl className={styles.figures}>
        <Figure
          name="Time to convert all"
          value={time}
          why={time?.note}
          more={time && 'If they run one after the other.'}
        />
        <Figure name="Size of all" value={size} why={size?.note} />
      </dl>
      <ul className={styles.files} aria-label="Plan of each source">
        {plans.map((plan, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a source can be there twice.
          <li key={index}>
            <button
              type="button"
              aria-pressed={index === shown}
              // The bar leads to the first source that cannot run.
              data-kind={whyCannotRun(plan) === undefined ? undefined : 'error'}
              onClick={() => onShow(index)}
            >
              <span>{names[index]}</span>
              <span className={styles.soft}>{planText(plan)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function planText(plan: EachPlan): string {
  const reason = whyCannotRun(plan);
  if (plan === undefined || reason !== undefined) return `cannot run: ${reason}`;
  const { warnings } = plan;
  return [shortEstimate(plan) || 'unknown', warnings.length > 0 && countText(warnings.length, 'warning')]
    .filter(Boolean)
    .join(', ');
}
