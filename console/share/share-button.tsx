import Link2 from 'lucide-react/icons/link-2';
import { useState } from 'react';
import { lazyComponent } from '../app/lazy-component.tsx';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { Button } from '../ui/button.tsx';
import type { SharedThing } from './shares-query.ts';

const ShareDialog = lazyComponent(async () => (await import('./share-dialog.tsx')).ShareDialog);

/**
 * A button that opens the dialog to share a file, or the outputs of a job, if the client may. `name`: what is shared, for people.
 */
export function ShareButton({
  what,
  name,
  variant = 'plain',
}: {
  readonly what: SharedThing;
  readonly name: string;
  readonly variant?: 'plain' | 'quiet';
}) {
  const [isOpen, setOpen] = useState(false);
  const { data: session } = useSession();
  if (!mayDo(session, 'files:read') || !mayDo(session, 'files:write')) return null;
  return (
    <>
      <Button variant={variant} onClick={() => setOpen(true)}>
        <Link2 /> Share…
      </Button>
      {isOpen && <ShareDialog what={what} name={name} onClose={() => setOpen(false)} />}
    </>
  );
}
