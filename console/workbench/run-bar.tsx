import Play from 'lucide-react/icons/play';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { keyText } from '../app/keys.ts';
import { Button } from '../ui/button.tsx';
import { WithCode } from '../ui/with-code.tsx';
import styles from './run-bar.module.css';

/** A longer state takes several lines beside the button on a phone. */
const LONG = 30;

interface Props {
  readonly label: string;
  readonly isReady: boolean;
  /** Whether the button is what the user does next. Otherwise, it is possible, but not the main action. */
  readonly isNext: boolean;
  /** A text about the state, such as "Ready." or the reason why the button waits. */
  readonly state: string;
  /** What the button makes. It is shown instead of the state, which is then only for screen readers. '': not known. */
  readonly made?: string;
  readonly isBad: boolean;
  /** Whether the request is being checked, which can take half a minute. */
  readonly isBusy?: boolean;
  /** Whether there is a result. On a phone, the actions of the result then replace the button that converts. */
  readonly isDone?: boolean;
  /** The id of the plan, to which the state leads on a phone. undefined: there is none. */
  readonly planId?: string | undefined;
  /** undefined: a press does nothing. */
  readonly onRun: (() => void) | undefined;
  /** The name of the bar for screen readers, and the icon of its button. */
  readonly name?: string;
  readonly icon?: ReactNode;
  /** Further buttons, such as one that shows the first error. */
  readonly children?: ReactNode;
}

/** The button that runs the request, and its state. It is always visible: on a phone, at the bottom of the window. */
export function RunBar({
  label,
  isReady,
  isNext,
  state,
  made = '',
  isBad,
  isBusy = false,
  isDone = false,
  planId,
  onRun,
  name = 'Run',
  icon = <Play />,
  children,
}: Props) {
  const id = useId();
  const shown = made === '' ? state : made;
  const content = (
    <>
      {shown !== state && <span className="visually-hidden">{state} </span>}
      <WithCode text={shown} />
    </>
  );
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => tellHeight(bar.current), []);
  return (
    <div ref={bar} role="group" aria-label={name} className={styles.bar} data-done={isDone}>
      {/* Not `disabled`, because the button would lose the focus while the job starts and after its output exists. */}
      <Button
        variant={isNext ? 'primary' : 'plain'}
        className={styles.run}
        aria-disabled={!isReady}
        aria-describedby={id}
        aria-keyshortcuts="Control+Enter"
        onClick={onRun}
      >
        {icon} {label}
        <span aria-hidden="true" className={styles.key}>
          {keyText('run')}
        </span>
      </Button>
      <p
        id={id}
        role="status"
        className={styles.state}
        data-bad={isBad}
        data-busy={isBusy}
        data-long={shown.length > LONG}
      >
        {planId === undefined ? content : <a href={`#${planId}`}>{content}</a>}
      </p>
      {children}
    </div>
  );
}

/** Tells the style sheet how much of the window the bar covers, which what is scrolled to must not be behind. Returns a function that stops this. */
function tellHeight(bar: HTMLElement | null): (() => void) | undefined {
  if (bar === null) return undefined;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty('--run-bar', `${bar.offsetHeight}px`));
  observer.observe(bar);
  return () => {
    observer.disconnect();
    style.removeProperty('--run-bar');
  };
}
