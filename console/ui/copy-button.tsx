import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import { useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';

const BLOCKED = 'Select it and copy it';

/** Copies a text. Browsers allow this only over HTTPS and on localhost. Elsewhere, the button tells the user to select the text. */
export function CopyButton({
  text,
  label = 'Copy',
  name,
  isIcon = false,
  isNext = false,
  onDone,
  onBlocked,
}: {
  readonly text: string;
  readonly label?: string;
  /** The name of the button for screen readers, if several buttons have the same text. */
  readonly name?: string;
  /** Whether only its icon is shown, as beside a short text. */
  readonly isIcon?: boolean;
  /** Whether it is what the user does next: it is the main action and gets the focus. */
  readonly isNext?: boolean;
  /** Called when the text was copied, or the user was told to select it. */
  readonly onDone?: () => void;
  /** Called when the browser does not copy. The text must be in sight then. */
  readonly onBlocked?: () => void;
}) {
  const [said, setSaid] = useState('');
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isNext) button.current?.focus();
  }, [isNext]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied');
    } catch {
      setSaid(BLOCKED);
      onBlocked?.();
    }
    onDone?.();
  };
  return (
    <>
      <Button
        ref={button}
        aria-label={isIcon ? label : said === '' ? name : undefined}
        title={isIcon ? label : undefined}
        variant={isNext ? 'primary' : isIcon ? 'quiet' : 'plain'}
        onClick={() => void copy()}
      >
        {said === 'Copied' ? <Check /> : <Copy />}
        {(!isIcon || said === BLOCKED) && (said === '' ? label : said)}
      </Button>
      {/* Outside the button, because its content is its name for screen readers. */}
      <span role="status" className="visually-hidden">
        {said}
      </span>
    </>
  );
}
