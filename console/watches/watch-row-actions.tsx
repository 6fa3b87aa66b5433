import { Link } from '@tanstack/react-router';
import type { Watch } from '@telecine/client';
import FilmIcon from 'lucide-react/icons/film';
import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import { Button } from '../ui/button.tsx';
import { RowMenu } from '../ui/row-menu.tsx';
import { useWatchActions } from './use-watch-actions.ts';
import { titleOfWatch } from './watch-status.tsx';

/** The actions on a watch in the list. Its page has the others. */
export function WatchRowActions({ watch }: { readonly watch: Watch }) {
  const { watchId, state } = watch;
  const { scan, change, error, reset } = useWatchActions(watchId);
  return (
    <RowMenu label={`Actions for ${titleOfWatch(watch)}`} error={error} onClose={reset}>
      {state === 'ACTIVE' ? (
        <>
          <Button onClick={() => scan.mutate()}>
            <RefreshCw /> Scan now
          </Button>
          <Button onClick={() => change.mutate('PAUSED')}>
            <Pause /> Pause
          </Button>
        </>
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
