import type { Watch } from '@telecine/client';
import { ACTIVITY_TEXTS, type WatchActivity, watchActivity } from '../../packages/contract/src/domain/watch-text.ts';
import { Age } from '../ui/moment.tsx';
import { Status } from '../ui/status.tsx';
import type { Tone } from '../ui/tone.ts';

const TONES: Readonly<Record<WatchActivity, Tone>> = {
  stopped: 'bad',
  unreachable: 'bad',
  paused: 'paused',
  quota: 'waiting',
  converting: 'running',
  watching: 'good',
};

/** What a watch does at present. */
export function WatchStatus({ watch }: { readonly watch: Watch }) {
  const activity = watchActivity(watch);
  const text = ACTIVITY_TEXTS[activity];
  const { unreachableSince } = watch;
  return (
    <Status tone={TONES[activity]} isMoving={activity === 'converting'}>
      {text.charAt(0).toUpperCase() + text.slice(1)}
      {activity === 'unreachable' && unreachableSince !== undefined && (
        <>
          {' '}
          for <Age since={unreachableSince} />
        </>
      )}
    </Status>
  );
}

/** The name of a watch: its own, else its folder. */
export const titleOfWatch = ({ name, folder }: Watch): string => name ?? folder;
