import type { Watch } from '@telecine/client';
import { type WatchActivity, watchActivity } from '../../packages/contract/src/domain/watch-text.ts';
import { RecipeName } from '../jobs/recipe-name.tsx';
import { Age } from '../ui/moment.tsx';
import { Status } from '../ui/status.tsx';
import type { Tone } from '../ui/tone.ts';

const TONES: Readonly<Record<WatchActivity, Tone>> = {
  stopped: 'bad',
  'folder unreachable': 'bad',
  paused: 'paused',
  'waiting for a quota': 'waiting',
  converting: 'running',
  watching: 'good',
};

/** What a watch does at present. */
export function WatchStatus({ watch }: { readonly watch: Watch }) {
  const activity = watchActivity(watch);
  const { unreachableSince } = watch;
  return (
    <Status tone={TONES[activity]} isMoving={activity === 'converting'}>
      {activity.charAt(0).toUpperCase() + activity.slice(1)}
      {activity === 'folder unreachable' && unreachableSince !== undefined && (
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

/** How many options of a watch are named. */
const NAMED = 3;

/** What a watch converts with: its recipe, or the first of its own options. */
export function ConvertsWith({ request: { preset, parameters = {}, outputs = [] } }: Pick<Watch, 'request'>) {
  if (preset !== undefined) return <RecipeName name={preset.name} />;
  const options = [parameters, ...outputs.map((output) => output.parameters ?? {})].flatMap(Object.entries);
  const texts = [...new Set(options.map(([name, value]) => `${name} ${[value].flat().join(' ')}`.trim()))];
  if (texts.length === 0) return 'The defaults of the format';
  return `Own settings (${texts.slice(0, NAMED).join(', ')}${texts.length > NAMED ? ', …' : ''})`;
}
