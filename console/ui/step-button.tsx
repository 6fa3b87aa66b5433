import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { Button } from './button.tsx';

interface Props {
  readonly to: 'previous' | 'next';
  readonly label: string;
  /** Whether the first or the last one is shown, so that there is nothing to step to. */
  readonly isAtEnd: boolean;
  readonly onStep: () => void;
}

/** A button that shows the previous or the next frame or source. At the end it keeps the focus, which a disabled button loses. */
export const StepButton = ({ to, label, isAtEnd, onStep }: Props) => (
  <Button variant="quiet" aria-label={label} aria-disabled={isAtEnd} onClick={isAtEnd ? undefined : onStep}>
    {to === 'previous' ? <ChevronLeft /> : <ChevronRight />}
  </Button>
);
