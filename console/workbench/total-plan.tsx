import type { ConversionRequest } from '@telecine/client';
import { useEffect } from 'react';
import { countText } from '../ui/format.ts';
import { shortEstimate } from './estimate-text.ts';
import { Figure } from './plan-view.tsx';
import styles from './total-plan.module.css';
import { shortTotal, totalSizeText, totalTimeText } from './total-text.ts';
import { type EachPlan, useTotal } from './use-total.ts';

/** What all requests together take, then each of them. A name shows the plan of its request. Nothing until they are planned. */
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
  /** Called with the total in a few words. '': it is not known. Must not change. */
  readonly onTotal: (text: string) => void;
}) {
  const plans = useTotal(requests, isReady);
  const text = plans === undefined ? '' : shortTotal(plans);
  useEffect(() => {
    onTotal(text);
    return () => onTotal('');
  }, [text, onTotal]);
  if (plans === undefined) return null;
  const time = totalTimeText(plans);
  const size = totalSizeText(plans);
  return (
    <>
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
            <button type="button" aria-pressed={index === shown} onClick={() => onShow(index)}>
              {names[index]}
            </button>
            <span className={styles.soft}>{planText(plan)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function planText(plan: EachPlan): string {
  if (plan === undefined) return 'cannot run: it has an error';
  const { warnings } = plan;
  return [shortEstimate(plan) || 'unknown', warnings.length > 0 && countText(warnings.length, 'warning')]
    .filter(Boolean)
    .join(', ');
}
