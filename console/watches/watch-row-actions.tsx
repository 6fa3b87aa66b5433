import { Link } from '@tanstack/react-router';
import type { Watch } from '@telecine/client';
import FilmIcon from 'lucide-react/icons/film';
import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import { Button } from '../ui/button.tsx';
import { RowMenu } from '../ui/row-menu.tsx';
import { useWatchActions } from './use-watch-actions.ts';
import { titleOfWatch } from './watch-status.tsx';

/** The actions on a watch in the list. Its page has the others. */
export function WatchRowActions({ watch }: { readonly watch: Watch }) {
  const { watchId, state } = watch;
  const change = useWatchActions(watchId);
  return (
    <RowMenu label={`Actions for ${titleOfWatch(watch)}`} error={change.error} onClose={change.reset}>
      {state === 'ACTIVE' ? (
        <Button onClick={() => change.mutate('PAUSED')}>
          <Pause /> Pause
        </Button>
      ) : (
        <Button onClick={() => change.mutate('ACTIVE')}>
          <Play /> Resume
        </Button>
      )}
      <Link to="/jobs" search={{ watch: watchId }}>
        <FilmIcon /> Show its jobs
      </Link>
    </RowMenu>
  );
}
