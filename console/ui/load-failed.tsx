import CloudOff from 'lucide-react/icons/cloud-off';
import RotateCw from 'lucide-react/icons/rotate-cw';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Empty } from './empty.tsx';
import { problemText } from './problem-notice.tsx';
import { WithCode } from './with-code.tsx';

/** Replaces a list or a page that could not be read: says why, and reads it again. */
export function LoadFailed({
  what = 'This',
  error,
  onRetry,
  isNext = false,
  actions,
  children,
}: {
  /** What could not be read, as the subject of a sentence. */
  readonly what?: string;
  readonly error: unknown;
  readonly onRetry: () => void;
  /** Whether this is the main action of the page. */
  readonly isNext?: boolean;
  /** More actions. */
  readonly actions?: ReactNode;
  /** What else there is to know. */
  readonly children?: ReactNode;
}) {
  return (
    <Empty
      icon={CloudOff}
      role="alert"
      tone="bad"
      title={`${what} could not be loaded`}
      actions={
        <>
          <Button variant={isNext ? 'primary' : 'plain'} onClick={onRetry}>
            <RotateCw /> Try again
          </Button>
          {actions}
        </>
      }
    >
      <p>
        <WithCode text={problemText(error)} />
      </p>
      {children}
    </Empty>
  );
}
