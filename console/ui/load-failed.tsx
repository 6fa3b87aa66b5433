import CloudOff from 'lucide-react/icons/cloud-off';
import { Button } from './button.tsx';
import { Empty } from './empty.tsx';
import { problemText } from './problem-notice.tsx';

/** Replaces a list or a page that could not be read: says why, and reads it again. */
export function LoadFailed({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  return (
    <Empty icon={CloudOff} role="alert">
      <p>
        <strong>This could not be loaded</strong>
      </p>
      <p>{problemText(error)}</p>
      <Button onClick={onRetry}>Try again</Button>
    </Empty>
  );
}
